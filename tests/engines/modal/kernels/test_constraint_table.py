"""The columns of couplings, loops and tendons do not overlap."""

from carpal.engines.modal.kernels import constraint_table as columns


def test_columns_of_loops_and_of_couplings_do_not_overlap():
    loop = [columns.C_KIND, columns.C_FIRST, columns.C_TREE, columns.C_ROW_A, columns.C_ROW_B]
    for first, width in ((columns.C_P_A, 3), (columns.C_P_B, 3), (columns.C_R_A, 9), (columns.C_R_B, 9)):
        loop += range(first, first + width)
    coupling = [columns.C_KIND, columns.C_FIRST, columns.C_TREE, columns.C_DOF_A, columns.C_DOF_B, columns.C_Q_A]
    coupling += [columns.C_Q_B, columns.C_REF_A, columns.C_REF_B]
    coupling += range(columns.C_POLYNOMIAL, columns.C_POLYNOMIAL + columns.DEGREES)
    for used in (loop, coupling):
        assert len(set(used)) == len(used)
        assert max(used) < columns.CONSTRAINT_COLUMNS
    assert columns.T_COEFFICIENT == columns.T_HIGH + 1
