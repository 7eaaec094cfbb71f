from __future__ import annotations

from carpal.model.readers.mesh_files import find_mesh, inside, missing_sentence, own_folder


def test_references_of_all_kinds(tmp_path):
    package = tmp_path / "arm_description"
    (package / "meshes").mkdir(parents=True)
    (package / "urdf").mkdir()
    mesh = package / "meshes" / "a.stl"
    mesh.write_text("x")
    urdf = package / "urdf"
    for reference in ("../meshes/a.stl", str(mesh), f"file://{mesh}", "package://arm_description/meshes/a.stl"):
        found = find_mesh(reference, urdf)
        assert found is not None, reference
        assert found.resolve() == mesh.resolve(), reference
    assert find_mesh("a.stl", package, subfolder="meshes") is not None
    assert find_mesh("a.stl", package) is None
    assert find_mesh("package://other/meshes/a.stl", urdf) is None


def test_a_confined_search_stays_in_its_folder(tmp_path):
    (tmp_path / "outside.stl").write_text("x")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.stl").symlink_to(tmp_path / "outside.stl")
    (folder / "own.stl").write_text("x")
    assert find_mesh("own.stl", folder, confined=True) is not None
    for reference in ("../outside.stl", str(tmp_path / "outside.stl"), "link.stl"):
        assert find_mesh(reference, folder) is not None
        assert find_mesh(reference, folder, confined=True) is None, reference
    assert inside(folder / "own.stl", folder)
    assert not inside(folder / ".." / "outside.stl", folder)


def test_strangers_may_read_their_package(tmp_path, monkeypatch):
    workspace = tmp_path / "src"
    package, other = workspace / "arm_description", workspace / "hand"
    for folder in (package / "urdf" / "v2", package / "meshes", other / "meshes", package / "robots"):
        folder.mkdir(parents=True)
    for mesh in (
        package / "meshes" / "a.STL",
        other / "meshes" / "b.stl",
        workspace / "loose.stl",
        package / "key.txt",
    ):
        mesh.write_text("x")
    urdf = package / "urdf"
    for reference in (
        "../meshes/a.STL",
        "package://arm_description/meshes/a.STL",
        "package:///arm_description/meshes/a.STL",
    ):
        assert find_mesh(reference, urdf, confined=True) == find_mesh(reference, urdf) is not None, reference
    assert find_mesh("package://hand/meshes/b.stl", urdf, confined=True) is not None
    hostile = ["../../loose.stl", "../key.txt", "package://arm_description/../loose.stl", "package://../loose.stl"]
    hostile += [
        "package://hand/../loose.stl",
        str(workspace / "loose.stl"),
        "file:///etc/passwd",
        "../../../../etc/passwd",
    ]
    for reference in hostile:
        assert find_mesh(reference, urdf, confined=True) is None, reference
    deep = package / "urdf" / "v2"
    assert find_mesh("../../meshes/a.STL", deep, confined=True) is None
    (package / "package.xml").write_text("<package/>")
    assert find_mesh("../../meshes/a.STL", deep, confined=True) is not None and own_folder(deep) == package.resolve()
    monkeypatch.setenv("HOME", str(package))  # a home is no package
    assert own_folder(urdf) == urdf.resolve()
    assert find_mesh("package://arm_description/meshes/a.STL", urdf, confined=True) is None


def test_packages_where_ros_says(tmp_path, monkeypatch):
    for folder in ("one/arm/meshes", "two/share/hand/meshes", "here"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "one/arm/meshes/a.stl").write_text("x")
    (tmp_path / "two/share/hand/meshes/b.stl").write_text("x")
    assert find_mesh("package://arm/meshes/a.stl", tmp_path / "here") is None
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "one"))
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "two"))
    assert find_mesh("package://arm/meshes/a.stl", tmp_path / "here", confined=True) is not None
    assert find_mesh("package://hand/meshes/b.stl", tmp_path / "here", confined=True) is not None


def test_awkward_references_are_just_missing(tmp_path):
    for reference in ("", "x" * 5000, "a\0b", "package://", "http://host/a.stl"):
        assert find_mesh(reference, tmp_path) is None
        assert find_mesh(reference, None) is None


def test_the_sentence_names_the_files_and_stays_short():
    assert missing_sentence(["b", "a", "a"]) == "2 mesh files were not found: 'a', 'b'."
    assert missing_sentence(["a"]) == "1 mesh file was not found: 'a'."
    assert len(missing_sentence([f"{i}{'x' * 500}" for i in range(1000)])) < 1000
