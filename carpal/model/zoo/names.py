"""Names that people know, and where each package keeps the robot.

Menagerie keys are `folder/file` of MuJoCo Menagerie, example-robot-data's are paths below its `robots` folder,
robot_descriptions' are its modules. Licences are those that mujoco-menagerie or robot_descriptions
state; `sources` reads those of files that are there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ZooEntry:
    """Where a robot is found: keys by package ("" where a package has it not), and its licence."""

    menagerie: str = ""
    example_robot_data: str = ""
    robot_descriptions: str = ""
    licence: str = ""


def _entry(menagerie: str, example: str, descriptions: str, licence: str) -> ZooEntry:
    return ZooEntry(menagerie, example, f"{descriptions}_description" if descriptions else "", licence)


ZOO = {
    "panda": _entry("franka_emika_panda/panda.xml", "panda_description/urdf/panda.urdf", "panda_mj", "Apache-2.0"),
    "fr3": _entry("franka_fr3/fr3.xml", "", "fr3_mj", "Apache-2.0"),
    "ur3": _entry("", "ur_description/urdf/ur3_robot.urdf", "ur3_official", "BSD-3-Clause"),
    "ur5": _entry("", "ur_description/urdf/ur5_robot.urdf", "ur5_official", "BSD-3-Clause"),
    "ur10": _entry("", "ur_description/urdf/ur10_robot.urdf", "ur10_official", "BSD-3-Clause"),
    "ur5e": _entry("universal_robots_ur5e/ur5e.xml", "", "ur5e_mj", "BSD-3-Clause"),
    "ur10e": _entry("universal_robots_ur10e/ur10e.xml", "", "ur10e_mj", "BSD-3-Clause"),
    "iiwa14": _entry("kuka_iiwa_14/iiwa14.xml", "", "iiwa14_mj", "BSD-3-Clause"),
    "iiwa7": _entry("", "", "iiwa7", "MIT"),
    "gen3": _entry("kinova_gen3/gen3.xml", "", "gen3_mj", "BSD-3-Clause"),
    "kinova": _entry("", "kinova_description/robots/kinova.urdf", "j2s6s200", "BSD-3-Clause"),
    "xarm7": _entry("ufactory_xarm7/xarm7.xml", "xarm_description/urdf/xarm7.urdf", "xarm7_mj", "BSD-3-Clause"),
    "lite6": _entry("ufactory_lite6/lite6.xml", "", "", "BSD-3-Clause"),
    "rizon4": _entry("flexiv_rizon4/flexiv_rizon4.xml", "", "rizon4_mj", "Apache-2.0"),
    "z1": _entry("unitree_z1/z1.xml", "z1_description/urdf/z1.urdf", "z1_mj", "BSD-3-Clause"),
    "vx300s": _entry("trossen_vx300s/vx300s.xml", "", "viper_mj", "BSD-3-Clause"),
    "wx250s": _entry("trossen_wx250s/wx250s.xml", "", "widow_mj", "BSD-3-Clause"),
    "so100": _entry("trs_so_arm100/so_arm100.xml", "so_arm_description/urdf/so100.urdf", "so_arm100_mj", "Apache-2.0"),
    "allegro": _entry(
        "wonik_allegro/right_hand.xml", "allegro_hand_description/urdf/allegro_right_hand.urdf", "allegro_hand_mj",
        "BSD-2-Clause",
    ),
    "allegro_left": _entry(
        "wonik_allegro/left_hand.xml", "allegro_hand_description/urdf/allegro_left_hand.urdf", "", "BSD-2-Clause"
    ),
    "leap_hand": _entry("leap_hand/right_hand.xml", "", "leap_hand_mj", "MIT"),
    "leap_hand_left": _entry("leap_hand/left_hand.xml", "", "", "MIT"),
    "shadow_hand": _entry("shadow_hand/right_hand.xml", "", "shadow_hand_mj", "Apache-2.0"),
    "shadow_hand_left": _entry("shadow_hand/left_hand.xml", "", "", "Apache-2.0"),
    "robotiq_2f85": _entry("robotiq_2f85/2f85.xml", "", "robotiq_2f85_mj", "BSD-2-Clause"),
    "barrett_hand": _entry("", "", "barrett_hand", "BSD"),
    "baxter": _entry("", "baxter_description/urdf/baxter.urdf", "baxter", "BSD-3-Clause"),
    "pr2": _entry("", "pr2_description/urdf/pr2.urdf", "pr2", "BSD"),
    "fetch": _entry("", "", "fetch", "MIT"),
    "stretch": _entry("hello_robot_stretch/stretch.xml", "", "stretch_mj", "BSD-3-Clause-Clear"),
    "tiago": _entry("pal_tiago/tiago.xml", "tiago_description/robots/tiago.urdf", "tiago", "Apache-2.0"),
    "tiago_dual": _entry("pal_tiago_dual/tiago_dual.xml", "tiago_description/robots/tiago_dual.urdf", "", "Apache-2.0"),
    "talos": _entry("pal_talos/talos.xml", "talos_data/robots/talos_full_v2.urdf", "talos_mj", "Apache-2.0"),
    "talos_arm": _entry("", "talos_data/robots/talos_left_arm.urdf", "", ""),
    "romeo": _entry("", "romeo_description/urdf/romeo_small.urdf", "romeo", "BSD"),
    "icub": _entry("", "icub_description/robots/icub.urdf", "icub", "CC-BY-SA-4.0"),
    "g1": _entry("unitree_g1/g1.xml", "g1_description/urdf/g1_29dof_rev_1_0.urdf", "g1_mj", "BSD-3-Clause"),
    "h1": _entry("unitree_h1/h1.xml", "", "h1_mj", "BSD-3-Clause"),
    "go1": _entry("unitree_go1/go1.xml", "go1_description/urdf/go1.urdf", "go1_mj", "BSD-3-Clause"),
    "go2": _entry("unitree_go2/go2.xml", "go2_description/urdf/go2.urdf", "go2_mj", "BSD-3-Clause"),
    "anymal": _entry("anybotics_anymal_c/anymal_c.xml", "anymal_c_simple_description/urdf/anymal.urdf", "anymal_c_mj",
                     "BSD-3-Clause"),
    "spot": _entry("boston_dynamics_spot/spot.xml", "", "spot_mj", "BSD-3-Clause"),
    "solo12": _entry("", "solo_description/robots/solo12.urdf", "", ""),
    "cassie": _entry("agility_cassie/cassie.xml", "", "cassie_mj", "MIT"),
}  # fmt: skip
"""By name; catalogue names come before them."""
