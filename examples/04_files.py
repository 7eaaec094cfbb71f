"""Read a URDF, write MJCF, read it back: the same numbers."""

from pathlib import Path

import numpy as np

import carpal

URDF = """<robot name="pendulum">
  <link name="base"><inertial><mass value="3"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.083" iyy="0.083" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="5" effort="20"/></joint>
</robot>"""

path = Path("pendulum.urdf")
path.write_text(URDF)
model = carpal.load(path)
print(model)
assert model.v_max[0] == 5 and model.mass == 4  # neither the speed limit nor the base's mass is lost

copy = Path("pendulum.xml")
copy.write_text(model.to_mjcf())
again = carpal.load(copy)
q = np.array([0.7])
assert np.allclose(carpal.mass_matrix(again, q), carpal.mass_matrix(model, q), rtol=1e-14)
assert again.v_max[0] == 5

safe = carpal.load(path, untrusted=True)  # the same, in a capped child process
assert np.array_equal(carpal.fk(safe, q), carpal.fk(model, q))
