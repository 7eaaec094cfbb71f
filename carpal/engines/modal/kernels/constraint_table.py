"""Columns of the tables of couplings and loops, of fixed tendons, and of compensated weight.

Joints and bodies that a coupling, loop or tendon connects are in one tree of the modal tables, so that each of these belongs to
one tree; its rows are those of `trees[TREE_HELD]` on.
"""

# constraints: kind, first of its rows, tree
C_KIND, C_FIRST, C_TREE = 0, 1, 2
# loops: rows of the bodies, the closing frame in each (position, rotation)
C_ROW_A, C_ROW_B, C_P_A, C_P_B, C_R_A, C_R_B = 3, 4, 5, 8, 11, 20
# couplings: freedoms of follower and leader (-1: none), their coordinates, where the polynomial counts from, coefficients
C_DOF_A, C_DOF_B, C_Q_A, C_Q_B, C_REF_A, C_REF_B, C_POLYNOMIAL = 3, 4, 5, 6, 7, 8, 9
CONSTRAINT_COLUMNS = 29
DEGREES = 5
# values of C_KIND, and the rows of each kind
COUPLED, CONNECTED, WELDED = 0, 1, 2
ROWS_OF_KIND = (1, 3, 6)

# tendons: tree, stiffness, damping, dry friction, speed that smooths it; lengths between which the spring is slack; limits of
# the length; then the coefficient of each place of the tree
T_TREE, T_STIFFNESS, T_DAMPING, T_FRICTION, T_SMOOTH, T_SLACK, T_TIGHT, T_LOW, T_HIGH, T_COEFFICIENT = range(10)

# lifted weight of each row of the model's tables: mass [kg], first moment [kg m] in the row's frame
LIFTED_MASS, LIFTED_MOMENT = 0, 1
LIFTED_COLUMNS = 4
