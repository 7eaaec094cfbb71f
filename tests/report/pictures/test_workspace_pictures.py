import carpal
from carpal.kinematics import workspace, workspace_slice
from carpal.report.pictures.workspace_pictures import save_cloud_picture, save_slice_picture


def _ink(path):
    from matplotlib import image

    return image.imread(path)[..., :3].std()


def test_both_kinds_show_something(tmp_path):
    model = carpal.load("so101_old")
    cloud = save_cloud_picture(workspace(model, count=5000), tmp_path / "cloud.png", title="so101_old")
    made = workspace_slice(model, 0.1, span=(-0.5, 0.5, -0.5, 0.5), step=0.1)
    flat = save_slice_picture(made, tmp_path / "slice.png", title="so101_old")
    assert _ink(cloud) > 0.05
    assert _ink(flat) > 0.05
