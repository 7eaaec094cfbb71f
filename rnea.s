	.file	"<string>"
	.section	.ltext,"axl",@progbits
	.globl	_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx
	.p2align	4
	.type	_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx,@function
_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$72, %rsp
	.cfi_def_cfa_offset 128
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	384(%rsp), %r14
	movq	312(%rsp), %rbp
	movq	240(%rsp), %r13
	movq	168(%rsp), %r12
	movabsq	$NRT_incref, %rbx
	movq	%rdi, %r15
	movq	%rdx, %rdi
	movq	%r9, 48(%rsp)
	movq	%r8, 40(%rsp)
	movq	%rcx, 32(%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 24(%rsp)
	callq	*%rbx
	movq	%r12, %rdi
	callq	*%rbx
	movq	%r13, %rdi
	callq	*%rbx
	movq	%rbp, %rdi
	callq	*%rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	456(%rsp), %rdi
	callq	*%rbx
	movq	528(%rsp), %rdi
	callq	*%rbx
	movq	632(%rsp), %r12
	testq	%r12, %r12
	je	.LBB0_1
	movq	616(%rsp), %rbx
	movq	624(%rsp), %rcx
	movq	24(%rsp), %r14
	movq	%r15, 16(%rsp)
	subq	%rbx, %rcx
	testq	%rcx, %rcx
	setg	%al
	testq	%r12, %r12
	setg	%dl
	xorb	%al, %dl
	jne	.LBB0_4
	movq	%rcx, %rax
	orq	%r12, %rax
	shrq	$32, %rax
	testq	%rax, %rax
	je	.LBB0_7
	je	.LBB0_7
	movq	%rcx, %rax
	cqto
	idivq	%r12
	jmp	.LBB0_10
.LBB0_7:
	movl	%ecx, %eax
	xorl	%edx, %edx
	divl	%r12d
.LBB0_10:
	movq	%rdx, %rsi
	negq	%rsi
	testq	%rcx, %rcx
	cmovgq	%rdx, %rsi
	xorl	%ecx, %ecx
	testq	%rsi, %rsi
	setg	%cl
	leaq	(%rax,%rcx), %rdx
	testq	%rdx, %rdx
	jle	.LBB0_4
	leaq	1(%rax,%rcx), %r15
	leaq	64(%rsp), %r13
	leaq	56(%rsp), %rbp
	.p2align	4
.LBB0_2:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	40(%rsp), %rcx
	movq	48(%rsp), %r8
	movq	56(%rsp), %r9
	movq	%r13, %rdi
	movq	%rbp, %rsi
	movq	%r14, %rdx
	pushq	648(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	movabsq	$_ZN6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx, %rax
	callq	*%rax
	addq	$512, %rsp
	.cfi_adjust_cfa_offset -512
	testl	%eax, %eax
	jne	.LBB0_12
	addq	%r12, %rbx
	decq	%r15
	cmpq	$1, %r15
	jg	.LBB0_2
.LBB0_4:
	movq	384(%rsp), %rdi
	movabsq	$NRT_decref, %rbx
	callq	*%rbx
	movq	312(%rsp), %rdi
	callq	*%rbx
	movq	456(%rsp), %rdi
	callq	*%rbx
	movq	528(%rsp), %rdi
	callq	*%rbx
	movq	240(%rsp), %rdi
	callq	*%rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	168(%rsp), %rdi
	callq	*%rbx
	movq	16(%rsp), %rax
	movq	$0, (%rax)
	xorl	%eax, %eax
.LBB0_13:
	addq	$72, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB0_12:
	.cfi_def_cfa_offset 128
	movq	8(%rsp), %rcx
	movq	$0, (%rcx)
	jmp	.LBB0_13
.LBB0_1:
	movq	8(%rsp), %rcx
	movabsq	$.const.picklebuf.ca8efb3a72d614fe872032cce3ac326007a30727, %rax
	movq	%rax, (%rcx)
	movl	$1, %eax
	jmp	.LBB0_13
.Lfunc_end0:
	.size	_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx, .Lfunc_end0-_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx
	.cfi_endproc

	.globl	_ZN7cpython6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx
	.p2align	4
	.type	_ZN7cpython6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx,@function
_ZN7cpython6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$1160, %rsp
	.cfi_def_cfa_offset 1216
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	%rsi, %rdi
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	leaq	512(%rsp), %r12
	leaq	520(%rsp), %r13
	leaq	528(%rsp), %rbp
	leaq	536(%rsp), %r10
	leaq	544(%rsp), %r11
	leaq	552(%rsp), %r15
	leaq	560(%rsp), %r14
	leaq	568(%rsp), %rbx
	movabsq	$.const.rnea_batch, %rsi
	movl	$11, %edx
	movl	$11, %ecx
	leaq	592(%rsp), %r8
	leaq	584(%rsp), %r9
	xorl	%eax, %eax
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	leaq	640(%rsp), %r10
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	movabsq	$PyArg_UnpackTuple, %r10
	callq	*%r10
	addq	$80, %rsp
	.cfi_adjust_cfa_offset -80
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 832(%rsp)
	vmovups	%zmm0, 752(%rsp)
	movq	$0, 816(%rsp)
	vmovups	%zmm0, 672(%rsp)
	movq	$0, 736(%rsp)
	vmovups	%zmm0, 592(%rsp)
	movq	$0, 656(%rsp)
	vmovups	%zmm0, 856(%rsp)
	movq	$0, 496(%rsp)
	movq	$0, 88(%rsp)
	testl	%eax, %eax
	je	.LBB1_52
	movabsq	$_ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx, %rax
	cmpq	$0, (%rax)
	je	.LBB1_31
	movq	584(%rsp), %rdi
	movabsq	$NRT_adapt_ndarray_from_python, %rbx
	leaq	1088(%rsp), %rsi
	vmovups	%zmm0, 1088(%rsp)
	movq	$0, 1152(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 1112(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	cmpb	$1, %bpl
	je	.LBB1_33
	testb	%bpl, %bpl
	jne	.LBB1_52
.LBB1_4:
	movq	1096(%rsp), %rax
	movq	1104(%rsp), %rdx
	movq	1144(%rsp), %rcx
	movq	576(%rsp), %rdi
	movq	1088(%rsp), %r14
	movq	1120(%rsp), %r12
	movq	1128(%rsp), %r13
	movq	1136(%rsp), %r15
	leaq	1008(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 1008(%rsp)
	movq	$0, 1072(%rsp)
	movq	%rax, 480(%rsp)
	movq	1152(%rsp), %rax
	movq	%rdx, 472(%rsp)
	movq	%rcx, 8(%rsp)
	movq	%rax, 488(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 1032(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_34
	testb	%bpl, %bpl
	jne	.LBB1_50
.LBB1_6:
	movq	1024(%rsp), %rcx
	movq	1016(%rsp), %rax
	movq	1040(%rsp), %rdx
	movq	568(%rsp), %rdi
	movq	%r15, 464(%rsp)
	movq	1008(%rsp), %r15
	leaq	928(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 928(%rsp)
	movq	$0, 992(%rsp)
	movq	%rcx, 448(%rsp)
	movq	1048(%rsp), %rcx
	movq	%rax, 456(%rsp)
	movq	%rdx, 440(%rsp)
	movq	1056(%rsp), %rdx
	movq	1072(%rsp), %rax
	movq	%rcx, 432(%rsp)
	movq	1064(%rsp), %rcx
	movq	%rdx, 424(%rsp)
	movq	%rax, 408(%rsp)
	movq	%rcx, 416(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 952(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_35
	testb	%bpl, %bpl
	jne	.LBB1_49
.LBB1_8:
	movq	936(%rsp), %rdx
	movq	944(%rsp), %rcx
	movq	928(%rsp), %rax
	movq	560(%rsp), %rdi
	leaq	752(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 752(%rsp)
	movq	$0, 816(%rsp)
	movq	%rdx, 400(%rsp)
	movq	%rcx, 392(%rsp)
	movq	960(%rsp), %rdx
	movq	968(%rsp), %rcx
	movq	%rax, 80(%rsp)
	movq	992(%rsp), %rax
	movq	%rdx, 384(%rsp)
	movq	%rcx, 376(%rsp)
	movq	976(%rsp), %rdx
	movq	984(%rsp), %rcx
	movq	%rax, 352(%rsp)
	movq	%rdx, 368(%rsp)
	movq	%rcx, 360(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 776(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_36
	testb	%bpl, %bpl
	jne	.LBB1_48
.LBB1_10:
	movq	760(%rsp), %rdx
	movq	768(%rsp), %rcx
	movq	752(%rsp), %rax
	movq	552(%rsp), %rdi
	leaq	672(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 672(%rsp)
	movq	$0, 736(%rsp)
	movq	%rdx, 344(%rsp)
	movq	%rcx, 336(%rsp)
	movq	784(%rsp), %rdx
	movq	792(%rsp), %rcx
	movq	%rax, 72(%rsp)
	movq	816(%rsp), %rax
	movq	%rdx, 328(%rsp)
	movq	%rcx, 320(%rsp)
	movq	800(%rsp), %rdx
	movq	808(%rsp), %rcx
	movq	%rax, 296(%rsp)
	movq	%rdx, 312(%rsp)
	movq	%rcx, 304(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 696(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_37
	testb	%bpl, %bpl
	jne	.LBB1_47
.LBB1_12:
	movq	680(%rsp), %rdx
	movq	688(%rsp), %rcx
	movq	672(%rsp), %rax
	movq	544(%rsp), %rdi
	leaq	592(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 592(%rsp)
	movq	$0, 656(%rsp)
	movq	%rdx, 288(%rsp)
	movq	%rcx, 280(%rsp)
	movq	704(%rsp), %rdx
	movq	712(%rsp), %rcx
	movq	%rax, 64(%rsp)
	movq	736(%rsp), %rax
	movq	%rdx, 272(%rsp)
	movq	%rcx, 264(%rsp)
	movq	720(%rsp), %rdx
	movq	728(%rsp), %rcx
	movq	%rax, 240(%rsp)
	movq	%rdx, 256(%rsp)
	movq	%rcx, 248(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 616(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bpl
	orb	%cl, %bpl
	jne	.LBB1_38
	testb	%bpl, %bpl
	jne	.LBB1_46
.LBB1_14:
	movq	608(%rsp), %rcx
	movq	600(%rsp), %rax
	movq	624(%rsp), %rdx
	movq	536(%rsp), %rdi
	movq	592(%rsp), %rbp
	leaq	832(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%zmm0, 832(%rsp)
	vmovups	%zmm0, 856(%rsp)
	movq	%rcx, 224(%rsp)
	movq	632(%rsp), %rcx
	movq	%rax, 232(%rsp)
	movq	%rdx, 216(%rsp)
	movq	640(%rsp), %rdx
	movq	656(%rsp), %rax
	movq	%rcx, 208(%rsp)
	movq	648(%rsp), %rcx
	movq	%rdx, 200(%rsp)
	movq	%rax, 184(%rsp)
	movq	%rcx, 192(%rsp)
	vzeroupper
	callq	*%rbx
	cmpq	$8, 856(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bl
	orb	%cl, %bl
	jne	.LBB1_39
	testb	%bl, %bl
	jne	.LBB1_45
.LBB1_16:
	movq	840(%rsp), %rcx
	movq	848(%rsp), %rdx
	movq	832(%rsp), %rax
	movq	528(%rsp), %rdi
	movq	%r14, 32(%rsp)
	movabsq	$PyNumber_Long, %r14
	movq	%rbp, 24(%rsp)
	movq	%r15, 56(%rsp)
	movq	%rcx, 160(%rsp)
	movq	864(%rsp), %rcx
	movq	%rdx, 152(%rsp)
	movq	872(%rsp), %rdx
	movq	%rax, 16(%rsp)
	movq	%rcx, 144(%rsp)
	movq	880(%rsp), %rcx
	movq	%rdx, 136(%rsp)
	movq	888(%rsp), %rdx
	movq	%rcx, 128(%rsp)
	movq	896(%rsp), %rcx
	movq	%rdx, 120(%rsp)
	movq	904(%rsp), %rdx
	movq	%rcx, 112(%rsp)
	movq	912(%rsp), %rcx
	movq	%rdx, 104(%rsp)
	movq	%rcx, 96(%rsp)
	callq	*%r14
	movabsq	$PyLong_AsLongLong, %rbp
	movabsq	$Py_DecRef, %rbx
	movq	%r12, 176(%rsp)
	movq	%r13, 168(%rsp)
	testq	%rax, %rax
	je	.LBB1_40
	movq	%rax, %rdi
	movq	%rax, %r15
	callq	*%rbp
	movq	%r15, %rdi
	movq	%rax, 48(%rsp)
	callq	*%rbx
	movabsq	$PyErr_Occurred, %r12
	callq	*%r12
	testq	%rax, %rax
	jne	.LBB1_44
.LBB1_18:
	movq	520(%rsp), %rdi
	callq	*%r14
	testq	%rax, %rax
	je	.LBB1_41
	movq	%rax, %rdi
	movq	%rax, %r15
	callq	*%rbp
	movq	%r15, %rdi
	movq	%rax, 40(%rsp)
	callq	*%rbx
	callq	*%r12
	testq	%rax, %rax
	jne	.LBB1_44
.LBB1_20:
	movq	512(%rsp), %rdi
	callq	*%r14
	testq	%rax, %rax
	je	.LBB1_42
	movq	%rax, %rdi
	movq	%rax, %r15
	callq	*%rbp
	movq	%r15, %rdi
	movq	%rax, %r13
	callq	*%rbx
	callq	*%r12
	testq	%rax, %rax
	jne	.LBB1_44
.LBB1_22:
	movq	504(%rsp), %rdi
	callq	*%r14
	testq	%rax, %rax
	je	.LBB1_43
	movq	%rax, %rdi
	movq	%rax, %r15
	callq	*%rbp
	movq	%r15, %rdi
	movq	%rax, %rbp
	callq	*%rbx
	callq	*%r12
	testq	%rax, %rax
	jne	.LBB1_44
.LBB1_24:
	movabsq	$PyEval_SaveThread, %rax
	callq	*%rax
	movq	%rax, %rbx
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	480(%rsp), %r8
	movq	40(%rsp), %rdx
	movq	488(%rsp), %rcx
	movabsq	$_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx, %rax
	leaq	504(%rsp), %rdi
	leaq	96(%rsp), %rsi
	movl	$8, %r9d
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	pushq	64(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	80(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	136(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	152(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	168(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	184(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	200(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	216(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	232(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$8
	.cfi_adjust_cfa_offset 8
	pushq	256(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	272(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	136(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	312(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	328(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	344(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	360(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	376(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$8
	.cfi_adjust_cfa_offset 8
	pushq	400(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	416(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	216(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	440(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	456(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	472(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	488(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	504(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$8
	.cfi_adjust_cfa_offset 8
	pushq	528(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	544(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	328(%rsp), %r14
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	568(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	584(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	600(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	616(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	632(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$8
	.cfi_adjust_cfa_offset 8
	pushq	656(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	672(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	408(%rsp), %r15
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	696(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	712(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	728(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	744(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	760(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$8
	.cfi_adjust_cfa_offset 8
	pushq	784(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	800(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	488(%rsp), %r13
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	pushq	824(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	840(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	872(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	888(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$8
	.cfi_adjust_cfa_offset 8
	pushq	912(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	928(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	536(%rsp), %rbp
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	976(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	504(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	968(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	680(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	696(%rsp)
	.cfi_adjust_cfa_offset 8
	callq	*%rax
	addq	$528, %rsp
	.cfi_adjust_cfa_offset -528
	movq	88(%rsp), %rcx
	movl	%eax, %r12d
	movabsq	$PyEval_RestoreThread, %rax
	movq	%rbx, %rdi
	movq	%rcx, 8(%rsp)
	callq	*%rax
	movq	32(%rsp), %rdi
	movabsq	$NRT_decref, %rbx
	callq	*%rbx
	movq	%rbp, %rdi
	callq	*%rbx
	movq	%r13, %rdi
	callq	*%rbx
	movq	%r15, %rdi
	callq	*%rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	24(%rsp), %rdi
	callq	*%rbx
	movq	16(%rsp), %rdi
	callq	*%rbx
	testl	%r12d, %r12d
	jne	.LBB1_27
	movabsq	$PyLong_FromLongLong, %rax
	xorl	%edi, %edi
	callq	*%rax
.LBB1_26:
	addq	$1160, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	vzeroupper
	retq
.LBB1_27:
	.cfi_def_cfa_offset 1216
	movq	8(%rsp), %r14
	jle	.LBB1_53
	movabsq	$PyErr_Clear, %rax
	callq	*%rax
	movl	8(%r14), %esi
	movq	(%r14), %rdi
	cmpl	$0, 32(%r14)
	jle	.LBB1_56
	movslq	%esi, %rsi
	movabsq	$PyBytes_FromStringAndSize, %rax
	callq	*%rax
	movq	16(%r14), %rdi
	movq	%rax, %rbx
	callq	*24(%r14)
	testq	%rax, %rax
	je	.LBB1_60
	movabsq	$numba_runtime_build_excinfo_struct, %rcx
	movq	%rbx, %rdi
	movq	%rax, %rsi
	callq	*%rcx
	movabsq	$NRT_Free, %r15
	movq	%r14, %rdi
	movq	%rax, %rbx
	callq	*%r15
	jmp	.LBB1_57
.LBB1_31:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.missing Environment: _ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx", %rsi
.LBB1_32:
	movabsq	$PyErr_SetString, %rax
	vzeroupper
	callq	*%rax
	jmp	.LBB1_52
.LBB1_33:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_4
	jmp	.LBB1_52
.LBB1_34:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_6
	jmp	.LBB1_50
.LBB1_35:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_8
	jmp	.LBB1_49
.LBB1_36:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_10
	jmp	.LBB1_48
.LBB1_37:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_12
	jmp	.LBB1_47
.LBB1_38:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bpl, %bpl
	je	.LBB1_14
	jmp	.LBB1_46
.LBB1_39:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bl, %bl
	je	.LBB1_16
	jmp	.LBB1_45
.LBB1_40:
	movq	$0, 48(%rsp)
	movabsq	$PyErr_Occurred, %r12
	callq	*%r12
	testq	%rax, %rax
	je	.LBB1_18
	jmp	.LBB1_44
.LBB1_41:
	movq	$0, 40(%rsp)
	callq	*%r12
	testq	%rax, %rax
	je	.LBB1_20
	jmp	.LBB1_44
.LBB1_42:
	xorl	%r13d, %r13d
	callq	*%r12
	testq	%rax, %rax
	je	.LBB1_22
	jmp	.LBB1_44
.LBB1_43:
	xorl	%ebp, %ebp
	callq	*%r12
	testq	%rax, %rax
	je	.LBB1_24
.LBB1_44:
	movq	16(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
	movq	32(%rsp), %r14
	movq	56(%rsp), %r15
	movq	24(%rsp), %rbp
.LBB1_45:
	movabsq	$NRT_decref, %rax
	movq	%rbp, %rdi
	callq	*%rax
.LBB1_46:
	movq	64(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_47:
	movq	72(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_48:
	movq	80(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_49:
	movabsq	$NRT_decref, %rax
	movq	%r15, %rdi
	callq	*%rax
.LBB1_50:
	movabsq	$NRT_decref, %rax
	movq	%r14, %rdi
.LBB1_51:
	callq	*%rax
.LBB1_52:
	xorl	%eax, %eax
	jmp	.LBB1_26
.LBB1_53:
	cmpl	$-3, %r12d
	je	.LBB1_59
	cmpl	$-1, %r12d
	je	.LBB1_52
	movabsq	$PyExc_SystemError, %rdi
	movabsq	$".const.unknown error when calling native function", %rsi
	jmp	.LBB1_32
.LBB1_56:
	movq	16(%r14), %rdx
	movabsq	$numba_unpickle, %rax
	callq	*%rax
	movq	%rax, %rbx
.LBB1_57:
	testq	%rbx, %rbx
	je	.LBB1_52
	movabsq	$numba_do_raise, %rax
	movq	%rbx, %rdi
	jmp	.LBB1_51
.LBB1_59:
	movabsq	$PyExc_StopIteration, %rdi
	movabsq	$PyErr_SetNone, %rax
	jmp	.LBB1_51
.LBB1_60:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.Error creating Python tuple from runtime exception arguments", %rsi
	jmp	.LBB1_32
.Lfunc_end1:
	.size	_ZN7cpython6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx, .Lfunc_end1-_ZN7cpython6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx
	.cfi_endproc

	.globl	cfunc._ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx
	.p2align	4
	.type	cfunc._ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx,@function
cfunc._ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r12
	.cfi_def_cfa_offset 40
	pushq	%rbx
	.cfi_def_cfa_offset 48
	subq	$544, %rsp
	.cfi_def_cfa_offset 592
	.cfi_offset %rbx, -48
	.cfi_offset %r12, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	vmovups	616(%rsp), %zmm1
	vmovups	688(%rsp), %zmm2
	vmovups	760(%rsp), %zmm3
	vmovups	832(%rsp), %zmm4
	vmovups	904(%rsp), %zmm5
	vmovups	976(%rsp), %zmm6
	vmovaps	1040(%rsp), %xmm7
	vmovups	1064(%rsp), %ymm8
	vmovaps	592(%rsp), %xmm0
	movq	%rcx, %r10
	movq	%rdx, %rax
	movq	%rsi, %rcx
	movq	%rdi, %rdx
	movq	608(%rsp), %rsi
	movq	680(%rsp), %rdi
	movq	752(%rsp), %r11
	movq	824(%rsp), %rbx
	movq	896(%rsp), %r14
	movq	968(%rsp), %r15
	movq	1056(%rsp), %r12
	movq	$0, 536(%rsp)
	movq	$0, 528(%rsp)
	vmovups	%ymm8, 488(%rsp)
	movq	%r12, 480(%rsp)
	vmovups	%xmm7, 464(%rsp)
	vmovups	%zmm6, 400(%rsp)
	movq	%r15, 392(%rsp)
	vmovups	%zmm5, 328(%rsp)
	movq	%r14, 320(%rsp)
	vmovups	%zmm4, 256(%rsp)
	movq	%rbx, 248(%rsp)
	vmovups	%zmm3, 184(%rsp)
	movq	%r11, 176(%rsp)
	vmovups	%zmm2, 112(%rsp)
	movq	%rdi, 104(%rsp)
	vmovups	%zmm1, 40(%rsp)
	movq	%rsi, 32(%rsp)
	movabsq	$_ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx, %r11
	leaq	536(%rsp), %rdi
	leaq	528(%rsp), %rsi
	vmovups	%xmm0, 16(%rsp)
	movq	%r9, 8(%rsp)
	movq	%r8, (%rsp)
	movq	%rax, %r8
	movq	%r10, %r9
	vzeroupper
	callq	*%r11
	movl	%eax, %ecx
	movq	528(%rsp), %rbx
	movq	536(%rsp), %rax
	movl	$0, 524(%rsp)
	testl	%ecx, %ecx
	jne	.LBB2_1
.LBB2_8:
	addq	$544, %rsp
	.cfi_def_cfa_offset 48
	popq	%rbx
	.cfi_def_cfa_offset 40
	popq	%r12
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB2_1:
	.cfi_def_cfa_offset 592
	movabsq	$numba_gil_ensure, %r14
	leaq	524(%rsp), %rdi
	movq	%rax, %r15
	movl	%ecx, %ebp
	callq	*%r14
	testl	%ebp, %ebp
	jle	.LBB2_9
	movabsq	$PyErr_Clear, %rax
	callq	*%rax
	movl	8(%rbx), %esi
	movq	(%rbx), %rdi
	cmpl	$0, 32(%rbx)
	jle	.LBB2_12
	movslq	%esi, %rsi
	movabsq	$PyBytes_FromStringAndSize, %rax
	callq	*%rax
	movq	16(%rbx), %rdi
	movq	%rax, %r14
	callq	*24(%rbx)
	testq	%rax, %rax
	je	.LBB2_4
	movabsq	$numba_runtime_build_excinfo_struct, %rcx
	movq	%r14, %rdi
	movq	%rax, %rsi
	callq	*%rcx
	movabsq	$NRT_Free, %r12
	movq	%rbx, %rdi
	movq	%rax, %r14
	callq	*%r12
	jmp	.LBB2_13
.LBB2_9:
	movl	%ebp, %eax
	cmpl	$-3, %ebp
	je	.LBB2_5
	cmpl	$-1, %eax
	je	.LBB2_7
	movabsq	$PyExc_SystemError, %rdi
	movabsq	$".const.unknown error when calling native function.2", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB2_7
.LBB2_12:
	movq	16(%rbx), %rdx
	movabsq	$numba_unpickle, %rax
	callq	*%rax
	movq	%rax, %r14
.LBB2_13:
	testq	%r14, %r14
	je	.LBB2_7
	movabsq	$numba_do_raise, %rax
	movq	%r14, %rdi
.LBB2_6:
	callq	*%rax
.LBB2_7:
	movabsq	$".const.<numba.core.cpu.CPUContext>", %rdi
	movabsq	$PyUnicode_FromString, %rax
	callq	*%rax
	movabsq	$PyErr_WriteUnraisable, %r14
	movq	%rax, %rbx
	movq	%rbx, %rdi
	callq	*%r14
	movabsq	$Py_DecRef, %rax
	movq	%rbx, %rdi
	callq	*%rax
	movabsq	$numba_gil_release, %rax
	leaq	524(%rsp), %rdi
	callq	*%rax
	movq	%r15, %rax
	jmp	.LBB2_8
.LBB2_5:
	movabsq	$PyExc_StopIteration, %rdi
	movabsq	$PyErr_SetNone, %rax
	jmp	.LBB2_6
.LBB2_4:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.Error creating Python tuple from runtime exception arguments.1", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	xorl	%eax, %eax
	jmp	.LBB2_8
.Lfunc_end2:
	.size	cfunc._ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx, .Lfunc_end2-cfunc._ZN6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx
	.cfi_endproc

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI3_0:
	.quad	0x4000000000000000
.LCPI3_1:
	.quad	0x3ff0000000000000
.LCPI3_2:
	.quad	0x7fffffffffffffff
.LCPI3_3:
	.quad	0x40f86a0000000000
.LCPI3_4:
	.quad	0x3fe45f306dc9c883
.LCPI3_5:
	.quad	0x4338000000000000
.LCPI3_6:
	.quad	0xc338000000000000
.LCPI3_7:
	.quad	0xbff921fb54400000
.LCPI3_8:
	.quad	0xbdd0b4611a600000
.LCPI3_9:
	.quad	0xbba3198a2e037073
.LCPI3_10:
	.quad	0xbfe0000000000000
.LCPI3_11:
	.quad	0xbda8fae9be8838d4
.LCPI3_12:
	.quad	0x3e21ee9ebdb4b1c4
.LCPI3_13:
	.quad	0xbe927e4f809c52ad
.LCPI3_14:
	.quad	0x3efa01a019cb1590
.LCPI3_15:
	.quad	0xbf56c16c16c15177
.LCPI3_16:
	.quad	0x3fa555555555554c
.LCPI3_17:
	.quad	0x3de5d93a5acfd57c
.LCPI3_18:
	.quad	0xbe5ae5e68a2b9ceb
.LCPI3_19:
	.quad	0x3ec71de357b1fe7d
.LCPI3_20:
	.quad	0xbf2a01a019c161d5
.LCPI3_21:
	.quad	0x3f8111111110f8a6
.LCPI3_22:
	.quad	0xbfc5555555555549
.LCPI3_23:
	.quad	0x8000000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx
	.p2align	4
	.type	_ZN6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx,@function
_ZN6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$456, %rsp
	.cfi_def_cfa_offset 512
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	944(%rsp), %r12
	movq	768(%rsp), %r13
	movq	624(%rsp), %rbx
	movq	584(%rsp), %r14
	movq	552(%rsp), %rbp
	movabsq	$NRT_incref, %r15
	movq	%rdi, 328(%rsp)
	movq	%rdx, %rdi
	movq	%rdx, 320(%rsp)
	callq	*%r15
	movq	%rbp, %rdi
	callq	*%r15
	movq	%rbx, %rdi
	callq	*%r15
	movq	696(%rsp), %rdi
	callq	*%r15
	movq	%r13, %rdi
	callq	*%r15
	movq	840(%rsp), %rdi
	callq	*%r15
	movq	912(%rsp), %rbx
	movq	%rbx, %rdi
	callq	*%r15
	movq	1008(%rsp), %rcx
	movq	184(%r14), %rdx
	movq	192(%r14), %rsi
	vxorpd	%xmm0, %xmm0, %xmm0
	movq	%rcx, %rax
	sarq	$63, %rax
	andq	952(%rsp), %rax
	addq	%rcx, %rax
	imulq	960(%rsp), %rax
	movabsq	$-9223372036854775808, %rcx
	xorq	%rcx, %rdx
	xorq	%rcx, %rsi
	xorq	200(%r14), %rcx
	movq	%rax, 168(%rsp)
	imulq	968(%rsp), %rax
	vmovupd	%ymm0, 112(%r12,%rax,8)
	vmovupd	%ymm0, 96(%r12,%rax,8)
	movq	%rdx, 144(%r12,%rax,8)
	movq	520(%rsp), %rdx
	movq	%rsi, 152(%r12,%rax,8)
	movq	%rcx, 160(%r12,%rax,8)
	vmovupd	%ymm0, 168(%r12,%rax,8)
	vmovupd	%ymm0, 184(%r12,%rax,8)
	movabsq	$NRT_decref, %r12
	leaq	-1(%rdx), %rcx
	movq	%rdx, 240(%rsp)
	movq	%rcx, 232(%rsp)
	testq	%rcx, %rcx
	jle	.LBB3_22
	movq	1000(%rsp), %rdi
	movq	664(%rsp), %rsi
	movq	656(%rsp), %rcx
	movq	728(%rsp), %rax
	movq	584(%rsp), %r8
	movq	232(%rsp), %r14
	movq	944(%rsp), %r13
	movq	%rdi, %rdx
	sarq	$63, %rdx
	andq	%rdx, %rsi
	addq	%rdi, %rsi
	imulq	672(%rsp), %rsi
	leaq	(%rcx,%rsi,8), %rcx
	movq	%rcx, 424(%rsp)
	movq	736(%rsp), %rcx
	andq	%rdx, %rcx
	andq	808(%rsp), %rdx
	addq	%rdi, %rcx
	imulq	744(%rsp), %rcx
	addq	%rdi, %rdx
	imulq	816(%rsp), %rdx
	movq	512(%rsp), %rdi
	leaq	(%rax,%rcx,8), %rax
	movq	800(%rsp), %rcx
	movq	%rax, 152(%rsp)
	leaq	(%rcx,%rdx,8), %rax
	movq	168(%rsp), %rcx
	movq	%rax, 160(%rsp)
	movq	968(%rsp), %rax
	leaq	8(,%rcx,8), %rdx
	leaq	1(%rcx), %r9
	movq	600(%rsp), %rcx
	leaq	(,%rax,8), %rsi
	imulq	%rax, %rdx
	imulq	%rax, %r9
	movabsq	$.LCPI3_0, %rax
	vmovsd	(%rax), %xmm0
	movabsq	$.LCPI3_1, %rax
	movq	%rsi, 408(%rsp)
	movq	%rdx, 416(%rsp)
	leaq	(,%rcx,8), %rdx
	leaq	168(%r8,%rcx,8), %r15
	movq	528(%rsp), %rcx
	movq	%r9, 400(%rsp)
	movq	%rdx, 392(%rsp)
	leaq	(,%rcx,8), %rdx
	leaq	24(%rdi,%rcx,8), %rcx
	vmovsd	%xmm0, 184(%rsp)
	vmovsd	(%rax), %xmm0
	movq	%rdx, 384(%rsp)
	vmovsd	%xmm0, 176(%rsp)
	jmp	.LBB3_2
	.p2align	4
.LBB3_12:
	movq	152(%rsp), %rcx
	movq	%r9, %rbx
	sarq	$63, %rbx
	movq	696(%rsp), %rdi
	movabsq	$NRT_decref, %r12
	movq	%r9, %r14
	movq	%rbx, %rax
	andq	744(%rsp), %rax
	leaq	(%rcx,%r9,8), %rcx
	vmovsd	(%rcx,%rax,8), %xmm3
	vmovsd	%xmm3, 8(%rsp)
	callq	*%r12
	movq	160(%rsp), %rax
	andq	816(%rsp), %rbx
	vmovsd	128(%rsp), %xmm0
	movq	768(%rsp), %rdi
	leaq	(%rax,%r14,8), %rax
	vaddsd	(%rax,%rbx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 128(%rsp)
	callq	*%r12
	vmovsd	72(%rsp), %xmm0
	vmovsd	144(%rsp), %xmm1
	vmovsd	8(%rsp), %xmm2
	vmovsd	136(%rsp), %xmm3
	movq	200(%rsp), %r14
	vaddsd	%xmm0, %xmm0, %xmm0
	vfmadd231sd	%xmm0, %xmm2, %xmm1
	vmovsd	80(%rsp), %xmm0
	vmovsd	%xmm1, 144(%rsp)
	vaddsd	%xmm0, %xmm0, %xmm0
	vfnmadd231sd	%xmm0, %xmm2, %xmm3
	vmovsd	%xmm3, 136(%rsp)
.LBB3_21:
	vmovsd	-64(%r15), %xmm1
	vmovsd	-56(%r15), %xmm2
	vmovsd	-72(%r15), %xmm0
	movq	%rbp, %rdi
	vmovsd	%xmm1, 120(%rsp)
	vmovsd	-48(%r15), %xmm1
	vmovsd	%xmm2, 192(%rsp)
	vmovsd	-40(%r15), %xmm2
	vmovsd	%xmm0, 40(%rsp)
	vmovsd	%xmm1, 112(%rsp)
	vmovsd	-32(%r15), %xmm1
	vmovsd	%xmm2, 16(%rsp)
	vmovsd	-24(%r15), %xmm2
	vmovsd	%xmm1, 24(%rsp)
	vmovsd	-16(%r15), %xmm1
	vmovsd	%xmm2, 8(%rsp)
	vmovsd	-8(%r15), %xmm2
	vmovsd	%xmm1, 32(%rsp)
	vmovsd	(%r15), %xmm1
	vmovsd	%xmm2, 56(%rsp)
	vmovsd	%xmm1, 48(%rsp)
	callq	*%r12
	vmovsd	112(%rsp), %xmm21
	vmovsd	80(%rsp), %xmm13
	vmovsd	64(%rsp), %xmm15
	vmovsd	120(%rsp), %xmm19
	vmovsd	72(%rsp), %xmm14
	vmovsd	192(%rsp), %xmm20
	vmovsd	88(%rsp), %xmm18
	vmovsd	96(%rsp), %xmm17
	vmovsd	104(%rsp), %xmm16
	vmovsd	144(%rsp), %xmm10
	vmovsd	136(%rsp), %xmm11
	vmovsd	128(%rsp), %xmm12
	vmovsd	32(%rsp), %xmm6
	vmovsd	16(%rsp), %xmm5
	vmovsd	48(%rsp), %xmm22
	vmovsd	24(%rsp), %xmm7
	vmovsd	56(%rsp), %xmm9
	movq	416(%rsp), %rax
	movq	912(%rsp), %rbx
	movq	%rbx, %rdi
	vmulsd	%xmm21, %xmm13, %xmm2
	vmulsd	%xmm19, %xmm14, %xmm1
	vmulsd	%xmm20, %xmm18, %xmm0
	vmulsd	%xmm20, %xmm15, %xmm4
	vmulsd	%xmm22, %xmm14, %xmm8
	vfmsub231sd	%xmm19, %xmm15, %xmm2
	vfmsub231sd	%xmm20, %xmm13, %xmm1
	vfmsub231sd	%xmm21, %xmm17, %xmm0
	vfmsub231sd	%xmm21, %xmm14, %xmm4
	vfmadd231sd	%xmm9, %xmm13, %xmm8
	vmulsd	%xmm2, %xmm15, %xmm3
	vfmsub231sd	%xmm1, %xmm14, %xmm3
	vmulsd	%xmm1, %xmm13, %xmm1
	vfmsub231sd	%xmm4, %xmm15, %xmm1
	vaddsd	%xmm3, %xmm0, %xmm0
	vmulsd	%xmm21, %xmm16, %xmm3
	vfmsub231sd	%xmm19, %xmm18, %xmm3
	vaddsd	%xmm1, %xmm3, %xmm1
	vmulsd	%xmm4, %xmm14, %xmm3
	vmulsd	%xmm6, %xmm14, %xmm4
	vfmsub231sd	%xmm2, %xmm13, %xmm3
	vmulsd	%xmm19, %xmm17, %xmm2
	vfmadd231sd	%xmm5, %xmm13, %xmm4
	vfmsub231sd	%xmm20, %xmm16, %xmm2
	vfmadd231sd	%xmm9, %xmm15, %xmm4
	vaddsd	%xmm3, %xmm2, %xmm2
	vmovsd	40(%rsp), %xmm3
	vfmadd231sd	%xmm3, %xmm10, %xmm0
	vfmadd231sd	%xmm3, %xmm11, %xmm1
	vfmadd231sd	%xmm3, %xmm12, %xmm2
	vmulsd	%xmm6, %xmm17, %xmm3
	vfmadd231sd	%xmm5, %xmm16, %xmm3
	vmulsd	%xmm6, %xmm16, %xmm5
	vmulsd	%xmm6, %xmm13, %xmm6
	vfmadd231sd	%xmm7, %xmm17, %xmm5
	vfmadd231sd	%xmm7, %xmm14, %xmm6
	vmulsd	%xmm22, %xmm17, %xmm7
	vfmadd231sd	%xmm9, %xmm18, %xmm3
	vfmadd231sd	%xmm9, %xmm16, %xmm7
	vmovsd	8(%rsp), %xmm9
	vfmadd231sd	%xmm22, %xmm15, %xmm6
	vfmadd231sd	%xmm22, %xmm18, %xmm5
	vfmadd231sd	%xmm9, %xmm15, %xmm8
	vfmadd231sd	%xmm9, %xmm18, %xmm7
	vmulsd	%xmm6, %xmm15, %xmm9
	vfmsub231sd	%xmm8, %xmm14, %xmm9
	vmulsd	%xmm8, %xmm13, %xmm8
	vfmsub231sd	%xmm4, %xmm15, %xmm8
	vmulsd	%xmm4, %xmm14, %xmm4
	vfmsub231sd	%xmm6, %xmm13, %xmm4
	vmulsd	%xmm21, %xmm11, %xmm6
	vfmsub231sd	%xmm20, %xmm12, %xmm6
	vaddsd	%xmm6, %xmm9, %xmm6
	vmulsd	%xmm20, %xmm10, %xmm9
	vaddsd	%xmm6, %xmm3, %xmm3
	vmulsd	%xmm19, %xmm12, %xmm6
	vfmsub231sd	%xmm19, %xmm11, %xmm9
	vfmsub231sd	%xmm21, %xmm10, %xmm6
	vaddsd	%xmm4, %xmm9, %xmm4
	vaddsd	%xmm6, %xmm8, %xmm6
	vmovsd	296(%rsp), %xmm8
	vaddsd	%xmm4, %xmm7, %xmm4
	vmovsd	288(%rsp), %xmm7
	vaddsd	%xmm6, %xmm5, %xmm5
	vmovsd	%xmm8, (%r13,%rax)
	vmovsd	256(%rsp), %xmm8
	vmovsd	%xmm7, 8(%r13,%rax)
	vmovsd	312(%rsp), %xmm7
	vmovsd	%xmm8, 16(%r13,%rax)
	vmovsd	280(%rsp), %xmm8
	vmovsd	%xmm7, 24(%r13,%rax)
	vmovsd	248(%rsp), %xmm7
	vmovsd	%xmm8, 32(%r13,%rax)
	vmovsd	304(%rsp), %xmm8
	vmovsd	%xmm7, 40(%r13,%rax)
	vmovsd	272(%rsp), %xmm7
	vmovsd	%xmm8, 48(%r13,%rax)
	vmovsd	264(%rsp), %xmm8
	vmovsd	%xmm7, 56(%r13,%rax)
	vmovsd	224(%rsp), %xmm7
	vmovsd	%xmm8, 64(%r13,%rax)
	movq	400(%rsp), %rax
	vmovsd	216(%rsp), %xmm8
	vmovsd	%xmm7, 72(%r13,%rax,8)
	vmovsd	208(%rsp), %xmm7
	vmovsd	%xmm8, 80(%r13,%rax,8)
	vmovsd	%xmm7, 88(%r13,%rax,8)
	vmovsd	%xmm13, 96(%r13,%rax,8)
	vmovsd	%xmm14, 104(%r13,%rax,8)
	vmovsd	%xmm15, 112(%r13,%rax,8)
	vmovsd	%xmm16, 120(%r13,%rax,8)
	vmovsd	%xmm17, 128(%r13,%rax,8)
	vmovsd	%xmm18, 136(%r13,%rax,8)
	vmovsd	%xmm10, 144(%r13,%rax,8)
	vmovsd	%xmm11, 152(%r13,%rax,8)
	vmovsd	%xmm12, 160(%r13,%rax,8)
	vmovsd	%xmm0, 168(%r13,%rax,8)
	vmovsd	%xmm1, 176(%r13,%rax,8)
	vmovsd	%xmm2, 184(%r13,%rax,8)
	vmovsd	%xmm3, 192(%r13,%rax,8)
	vmovsd	%xmm5, 200(%r13,%rax,8)
	vmovsd	%xmm4, 208(%r13,%rax,8)
	callq	*%r12
	movq	432(%rsp), %rcx
	addq	408(%rsp), %r13
	addq	392(%rsp), %r15
	addq	384(%rsp), %rcx
	decq	%r14
	je	.LBB3_22
.LBB3_2:
	movabsq	$NRT_incref, %r12
	movq	%r14, 200(%rsp)
	movq	%rbp, %rdi
	movq	%rcx, %r14
	vzeroupper
	callq	*%r12
	movq	696(%rsp), %rdi
	callq	*%r12
	movq	768(%rsp), %rdi
	callq	*%r12
	movq	%rbx, %rdi
	callq	*%r12
	vmovsd	-160(%r15), %xmm2
	vmovsd	-152(%r15), %xmm1
	vmovsd	-168(%r15), %xmm0
	vmovsd	-120(%r15), %xmm18
	vmovsd	-104(%r15), %xmm23
	vmovsd	-96(%r15), %xmm15
	vmovsd	-88(%r15), %xmm16
	vmovsd	-80(%r15), %xmm17
	movq	-8(%r14), %rax
	movq	424(%rsp), %rcx
	movq	-24(%r14), %r12
	movq	-16(%r14), %rbx
	movq	(%r14), %r9
	movq	%r14, 432(%rsp)
	leaq	(%rcx,%rax,8), %rcx
	vmovsd	%xmm2, 32(%rsp)
	vmovsd	%xmm1, 16(%rsp)
	vmovsd	-144(%r15), %xmm2
	vmovsd	-136(%r15), %xmm1
	vmovsd	%xmm0, 24(%rsp)
	vmovsd	%xmm2, 8(%rsp)
	vmovsd	%xmm1, 40(%rsp)
	vmovsd	-128(%r15), %xmm2
	vmovsd	-112(%r15), %xmm1
	vmovsd	%xmm2, 56(%rsp)
	vmovsd	%xmm1, 48(%rsp)
	cmpq	$3, %r12
	je	.LBB3_9
	cmpq	$2, %r12
	je	.LBB3_13
	cmpq	$1, %r12
	jne	.LBB3_10
	sarq	$63, %rax
	andq	672(%rsp), %rax
	movabsq	$.LCPI3_2, %rdx
	vmovsd	(%rcx,%rax,8), %xmm0
	movabsq	$.LCPI3_3, %rcx
	vandpd	(%rdx){1to2}, %xmm0, %xmm1
	vmovsd	(%rcx), %xmm2
	vucomisd	%xmm1, %xmm2
	jbe	.LBB3_6
	movabsq	$.LCPI3_4, %rax
	movabsq	$.LCPI3_7, %rdx
	vmovsd	(%rax), %xmm1
	movabsq	$.LCPI3_5, %rax
	vfmadd213sd	(%rax), %xmm0, %xmm1
	movabsq	$.LCPI3_6, %rax
	vaddsd	(%rax), %xmm1, %xmm1
	vfmadd231sd	(%rdx), %xmm1, %xmm0
	vcvttsd2si	%xmm1, %rax
	testb	$2, %al
	kmovd	%eax, %k2
	sete	%cl
	incl	%eax
	testb	$2, %al
	kmovd	%ecx, %k1
	movabsq	$.LCPI3_18, %rcx
	sete	%al
	kmovd	%eax, %k3
	movabsq	$.LCPI3_8, %rax
	vfmadd231sd	(%rax), %xmm1, %xmm0
	movabsq	$.LCPI3_9, %rax
	vfmadd231sd	(%rax), %xmm1, %xmm0
	movabsq	$.LCPI3_10, %rax
	vmovsd	(%rax), %xmm2
	movabsq	$.LCPI3_11, %rax
	vmovsd	(%rax), %xmm4
	movabsq	$.LCPI3_12, %rax
	vmulsd	%xmm0, %xmm0, %xmm1
	vfmadd213sd	(%rax), %xmm1, %xmm4
	movabsq	$.LCPI3_13, %rax
	vfmadd213sd	176(%rsp), %xmm1, %xmm2
	vmulsd	%xmm1, %xmm1, %xmm3
	vfmadd213sd	(%rax), %xmm1, %xmm4
	movabsq	$.LCPI3_14, %rax
	vfmadd213sd	(%rax), %xmm1, %xmm4
	movabsq	$.LCPI3_15, %rax
	vfmadd213sd	(%rax), %xmm1, %xmm4
	movabsq	$.LCPI3_16, %rax
	vfmadd213sd	(%rax), %xmm1, %xmm4
	movabsq	$.LCPI3_17, %rax
	vfmadd213sd	%xmm2, %xmm3, %xmm4
	vmovsd	(%rax), %xmm3
	movabsq	$.LCPI3_19, %rax
	vmulsd	%xmm1, %xmm0, %xmm2
	vfmadd213sd	(%rcx), %xmm1, %xmm3
	vfmadd213sd	(%rax), %xmm1, %xmm3
	movabsq	$.LCPI3_20, %rax
	vfmadd213sd	(%rax), %xmm1, %xmm3
	movabsq	$.LCPI3_21, %rax
	vfmadd213sd	(%rax), %xmm1, %xmm3
	movabsq	$.LCPI3_22, %rax
	vfmadd213sd	(%rax), %xmm1, %xmm3
	movabsq	$.LCPI3_23, %rax
	vfmadd213sd	%xmm0, %xmm2, %xmm3
	vmovapd	%xmm3, %xmm1
	vmovsd	%xmm4, %xmm1, %xmm1 {%k2}
	vmovsd	%xmm3, %xmm4, %xmm4 {%k2}
	vmovddup	(%rax), %xmm3
	vxorpd	%xmm3, %xmm1, %xmm0
	vmovsd	%xmm1, %xmm0, %xmm0 {%k1}
	vxorpd	%xmm3, %xmm4, %xmm1
	vmovsd	%xmm4, %xmm1, %xmm1 {%k3}
	jmp	.LBB3_8
	.p2align	4
.LBB3_13:
	sarq	$63, %rax
	andq	672(%rsp), %rax
	vmovsd	16(%rsp), %xmm29
	vmovsd	56(%rsp), %xmm13
	vmovsd	24(%rsp), %xmm14
	vmovsd	32(%rsp), %xmm27
	vmovsd	8(%rsp), %xmm28
	vmovsd	40(%rsp), %xmm30
	vmovsd	48(%rsp), %xmm22
	vmovapd	%xmm18, %xmm31
	vmovsd	(%rcx,%rax,8), %xmm0
	vfmadd231sd	%xmm0, %xmm29, %xmm15
	vfmadd231sd	%xmm0, %xmm13, %xmm16
	vfmadd231sd	%xmm0, %xmm23, %xmm17
	jmp	.LBB3_14
	.p2align	4
.LBB3_9:
	movq	672(%rsp), %rsi
	movq	%rax, %rdx
	sarq	$63, %rdx
	vmovsd	184(%rsp), %xmm10
	vmovsd	176(%rsp), %xmm14
	andq	%rsi, %rdx
	cmpq	$-1, %rax
	vmovsd	(%rcx,%rdx,8), %xmm0
	movl	$0, %edx
	cmovlq	%rsi, %rdx
	cmpq	$-2, %rax
	vmovsd	8(%rcx,%rdx,8), %xmm1
	movl	$0, %edx
	cmovlq	%rsi, %rdx
	cmpq	$-3, %rax
	movl	$0, %eax
	cmovlq	%rsi, %rax
	vmovsd	16(%rcx,%rdx,8), %xmm2
	vmovsd	24(%rcx,%rax,8), %xmm3
	vmulsd	%xmm1, %xmm1, %xmm4
	vmulsd	%xmm1, %xmm0, %xmm7
	vmulsd	%xmm2, %xmm0, %xmm6
	vmulsd	%xmm2, %xmm2, %xmm8
	vmulsd	%xmm2, %xmm1, %xmm11
	vmulsd	%xmm3, %xmm0, %xmm5
	vfmadd213sd	%xmm4, %xmm0, %xmm0
	vmulsd	%xmm3, %xmm3, %xmm9
	vmulsd	%xmm3, %xmm1, %xmm1
	vmulsd	%xmm3, %xmm2, %xmm2
	vsubsd	%xmm5, %xmm11, %xmm12
	vaddsd	%xmm1, %xmm6, %xmm13
	vsubsd	%xmm7, %xmm2, %xmm3
	vsubsd	%xmm6, %xmm1, %xmm1
	vaddsd	%xmm2, %xmm7, %xmm2
	vaddsd	%xmm5, %xmm11, %xmm5
	vmovsd	24(%rsp), %xmm6
	vmovsd	16(%rsp), %xmm7
	vaddsd	%xmm0, %xmm8, %xmm0
	vaddsd	%xmm0, %xmm9, %xmm0
	vdivsd	%xmm0, %xmm10, %xmm0
	vaddsd	%xmm9, %xmm8, %xmm10
	vaddsd	%xmm4, %xmm9, %xmm9
	vaddsd	%xmm4, %xmm8, %xmm4
	vmovsd	8(%rsp), %xmm8
	vfnmadd213sd	%xmm14, %xmm0, %xmm10
	vmulsd	%xmm0, %xmm12, %xmm12
	vmulsd	%xmm0, %xmm13, %xmm13
	vmulsd	%xmm0, %xmm5, %xmm5
	vfnmadd213sd	%xmm14, %xmm0, %xmm9
	vfnmadd213sd	%xmm14, %xmm0, %xmm4
	vmulsd	%xmm0, %xmm3, %xmm3
	vmulsd	%xmm0, %xmm1, %xmm1
	vmulsd	%xmm0, %xmm2, %xmm2
	vmovsd	32(%rsp), %xmm0
	vmulsd	%xmm6, %xmm10, %xmm14
	vmulsd	%xmm10, %xmm8, %xmm28
	vmulsd	%xmm10, %xmm18, %xmm31
	vfmadd231sd	%xmm5, %xmm0, %xmm14
	vmulsd	%xmm9, %xmm0, %xmm27
	vmulsd	%xmm3, %xmm0, %xmm29
	vmovsd	40(%rsp), %xmm0
	vfmadd231sd	%xmm12, %xmm6, %xmm27
	vfmadd231sd	%xmm13, %xmm6, %xmm29
	vfmadd231sd	%xmm1, %xmm7, %xmm14
	vfmadd231sd	%xmm2, %xmm7, %xmm27
	vfmadd231sd	%xmm4, %xmm7, %xmm29
	vmovsd	56(%rsp), %xmm7
	vfmadd231sd	%xmm5, %xmm0, %xmm28
	vmulsd	%xmm9, %xmm0, %xmm30
	vmulsd	%xmm3, %xmm0, %xmm0
	vfmadd231sd	%xmm12, %xmm8, %xmm30
	vfmadd231sd	%xmm13, %xmm8, %xmm0
	vfmadd231sd	%xmm1, %xmm7, %xmm28
	vfmadd231sd	%xmm2, %xmm7, %xmm30
	vfmadd231sd	%xmm4, %xmm7, %xmm0
	vmovsd	48(%rsp), %xmm7
	vmulsd	%xmm9, %xmm7, %xmm22
	vmulsd	%xmm3, %xmm7, %xmm19
	vfmadd231sd	%xmm5, %xmm7, %xmm31
	vfmadd231sd	%xmm13, %xmm18, %xmm19
	vfmadd231sd	%xmm12, %xmm18, %xmm22
	vmovapd	%xmm0, %xmm13
	vfmadd231sd	%xmm1, %xmm23, %xmm31
	vfmadd231sd	%xmm2, %xmm23, %xmm22
	vfmadd231sd	%xmm4, %xmm23, %xmm19
	jmp	.LBB3_15
	.p2align	4
.LBB3_10:
	movq	672(%rsp), %rsi
	cmpq	$-3, %rax
	movl	$0, %edx
	vmovsd	184(%rsp), %xmm1
	vmovsd	176(%rsp), %xmm14
	vmovsd	24(%rsp), %xmm24
	vmovsd	8(%rsp), %xmm21
	vmovsd	40(%rsp), %xmm20
	vmovsd	16(%rsp), %xmm25
	vmovsd	56(%rsp), %xmm26
	cmovlq	%rsi, %rdx
	cmpq	$-4, %rax
	vmovsd	24(%rcx,%rdx,8), %xmm0
	movl	$0, %edx
	cmovlq	%rsi, %rdx
	cmpq	$-5, %rax
	vmovsd	32(%rcx,%rdx,8), %xmm2
	movl	$0, %edx
	cmovlq	%rsi, %rdx
	cmpq	$-6, %rax
	vmovsd	40(%rcx,%rdx,8), %xmm4
	movl	$0, %edx
	cmovlq	%rsi, %rdx
	vmovsd	48(%rcx,%rdx,8), %xmm5
	movq	%rax, %rdx
	sarq	$63, %rdx
	andq	%rsi, %rdx
	cmpq	$-1, %rax
	vmulsd	%xmm2, %xmm2, %xmm6
	vmulsd	%xmm2, %xmm0, %xmm9
	vmulsd	%xmm4, %xmm0, %xmm8
	vmulsd	%xmm4, %xmm4, %xmm10
	vmulsd	%xmm4, %xmm2, %xmm13
	vmulsd	%xmm5, %xmm0, %xmm7
	vfmadd213sd	%xmm6, %xmm0, %xmm0
	vmulsd	%xmm5, %xmm5, %xmm11
	vmulsd	%xmm5, %xmm2, %xmm2
	vmulsd	%xmm5, %xmm4, %xmm4
	vaddsd	%xmm11, %xmm10, %xmm3
	vsubsd	%xmm9, %xmm4, %xmm5
	vaddsd	%xmm0, %xmm10, %xmm0
	vaddsd	%xmm0, %xmm11, %xmm0
	vaddsd	%xmm6, %xmm11, %xmm11
	vaddsd	%xmm6, %xmm10, %xmm6
	vdivsd	%xmm0, %xmm1, %xmm12
	vsubsd	%xmm7, %xmm13, %xmm0
	vaddsd	%xmm7, %xmm13, %xmm7
	vmulsd	%xmm0, %xmm12, %xmm1
	vaddsd	%xmm2, %xmm8, %xmm0
	vsubsd	%xmm8, %xmm2, %xmm2
	vfnmadd213sd	%xmm14, %xmm12, %xmm3
	vfnmadd213sd	%xmm14, %xmm12, %xmm11
	vmulsd	%xmm5, %xmm12, %xmm5
	vfnmadd213sd	%xmm14, %xmm12, %xmm6
	vmulsd	%xmm7, %xmm12, %xmm7
	vmulsd	%xmm2, %xmm12, %xmm8
	vaddsd	%xmm4, %xmm9, %xmm2
	vmulsd	%xmm0, %xmm12, %xmm0
	vmulsd	%xmm5, %xmm20, %xmm13
	vmulsd	%xmm3, %xmm21, %xmm28
	vmulsd	%xmm3, %xmm24, %xmm14
	vmulsd	%xmm3, %xmm18, %xmm31
	vmovsd	48(%rsp), %xmm3
	vmulsd	%xmm11, %xmm20, %xmm30
	vmulsd	%xmm2, %xmm12, %xmm4
	vmovsd	32(%rsp), %xmm12
	vmovsd	(%rcx,%rdx,8), %xmm2
	movl	$0, %edx
	vfmadd231sd	%xmm0, %xmm21, %xmm13
	cmovlq	%rsi, %rdx
	vfmadd231sd	%xmm1, %xmm21, %xmm30
	cmpq	$-2, %rax
	movl	$0, %eax
	vfmadd231sd	%xmm7, %xmm20, %xmm28
	vmovsd	8(%rcx,%rdx,8), %xmm9
	cmovlq	%rsi, %rax
	vmovsd	16(%rcx,%rax,8), %xmm10
	vfmadd231sd	%xmm6, %xmm26, %xmm13
	vfmadd231sd	%xmm4, %xmm26, %xmm30
	vfmadd231sd	%xmm8, %xmm26, %xmm28
	vmulsd	%xmm11, %xmm3, %xmm22
	vfmadd231sd	%xmm7, %xmm3, %xmm31
	vmulsd	%xmm5, %xmm3, %xmm19
	vmulsd	%xmm11, %xmm12, %xmm27
	vmulsd	%xmm5, %xmm12, %xmm29
	vfmadd231sd	%xmm7, %xmm12, %xmm14
	vfmadd231sd	%xmm1, %xmm18, %xmm22
	vfmadd231sd	%xmm0, %xmm18, %xmm19
	vmulsd	%xmm3, %xmm9, %xmm3
	vfmadd231sd	%xmm8, %xmm23, %xmm31
	vfmadd231sd	%xmm1, %xmm24, %xmm27
	vmulsd	%xmm9, %xmm20, %xmm1
	vfmadd231sd	%xmm0, %xmm24, %xmm29
	vfmadd231sd	%xmm8, %xmm25, %xmm14
	vfmadd231sd	%xmm4, %xmm23, %xmm22
	vfmadd231sd	%xmm2, %xmm18, %xmm3
	vfmadd231sd	%xmm6, %xmm23, %xmm19
	vfmadd231sd	%xmm2, %xmm21, %xmm1
	vfmadd231sd	%xmm4, %xmm25, %xmm27
	vmulsd	%xmm9, %xmm12, %xmm4
	vfmadd231sd	%xmm6, %xmm25, %xmm29
	vfmadd231sd	%xmm10, %xmm23, %xmm3
	vfmadd231sd	%xmm2, %xmm24, %xmm4
	vfmadd231sd	%xmm10, %xmm26, %xmm1
	vaddsd	%xmm3, %xmm17, %xmm17
	vfmadd231sd	%xmm10, %xmm25, %xmm4
	vaddsd	%xmm1, %xmm16, %xmm16
	vaddsd	%xmm4, %xmm15, %xmm15
	jmp	.LBB3_15
.LBB3_6:
	leaq	448(%rsp), %rdi
	leaq	440(%rsp), %rsi
	movabsq	$sincos, %rax
	vmovsd	%xmm15, 224(%rsp)
	vmovsd	%xmm16, 216(%rsp)
	vmovsd	%xmm17, 208(%rsp)
	movq	%r9, %r14
	vmovsd	%xmm18, 120(%rsp)
	vmovsd	%xmm23, 112(%rsp)
	callq	*%rax
	vmovsd	112(%rsp), %xmm23
	vmovsd	120(%rsp), %xmm18
	vmovsd	208(%rsp), %xmm17
	vmovsd	216(%rsp), %xmm16
	vmovsd	224(%rsp), %xmm15
	vmovsd	448(%rsp), %xmm0
	vmovsd	440(%rsp), %xmm1
	movq	%r14, %r9
.LBB3_8:
	vmovsd	24(%rsp), %xmm3
	vmovsd	32(%rsp), %xmm2
	vmovsd	40(%rsp), %xmm4
	vmovsd	16(%rsp), %xmm29
	vmovsd	56(%rsp), %xmm13
	vmulsd	%xmm1, %xmm18, %xmm31
	vmulsd	%xmm0, %xmm18, %xmm22
	vmulsd	%xmm1, %xmm3, %xmm14
	vmulsd	%xmm0, %xmm3, %xmm27
	vmovsd	8(%rsp), %xmm3
	vfmadd231sd	%xmm0, %xmm2, %xmm14
	vfmsub231sd	%xmm1, %xmm2, %xmm27
	vmulsd	%xmm1, %xmm3, %xmm28
	vmulsd	%xmm0, %xmm3, %xmm30
	vmovsd	48(%rsp), %xmm3
	vfmadd231sd	%xmm0, %xmm4, %xmm28
	vfmsub231sd	%xmm1, %xmm4, %xmm30
	vfmadd231sd	%xmm0, %xmm3, %xmm31
	vfmsub231sd	%xmm1, %xmm3, %xmm22
.LBB3_14:
	vmovapd	%xmm23, %xmm19
.LBB3_15:
	movq	%rbx, %rax
	sarq	$63, %rax
	andq	960(%rsp), %rax
	addq	168(%rsp), %rbx
	vmovsd	%xmm15, 224(%rsp)
	vmovsd	%xmm16, 216(%rsp)
	vmovsd	%xmm17, 208(%rsp)
	vmovsd	%xmm28, 312(%rsp)
	vmovsd	%xmm31, 304(%rsp)
	vmovsd	%xmm14, 296(%rsp)
	vmovsd	%xmm27, 288(%rsp)
	vmovsd	%xmm30, 280(%rsp)
	vmovsd	%xmm22, 272(%rsp)
	vmovsd	%xmm19, 264(%rsp)
	vmovsd	%xmm29, 256(%rsp)
	vmovsd	%xmm13, 248(%rsp)
	addq	%rax, %rbx
	imulq	968(%rsp), %rbx
	movq	944(%rsp), %rax
	vmovsd	96(%rax,%rbx,8), %xmm0
	vmovsd	104(%rax,%rbx,8), %xmm1
	vmovsd	112(%rax,%rbx,8), %xmm2
	vmovsd	120(%rax,%rbx,8), %xmm3
	vmovsd	136(%rax,%rbx,8), %xmm5
	vmovsd	128(%rax,%rbx,8), %xmm4
	vmulsd	%xmm0, %xmm17, %xmm10
	vmulsd	%xmm1, %xmm15, %xmm11
	vmulsd	%xmm2, %xmm16, %xmm9
	vmulsd	%xmm3, %xmm17, %xmm7
	vmulsd	%xmm5, %xmm16, %xmm6
	vmulsd	%xmm4, %xmm15, %xmm8
	vmulsd	%xmm1, %xmm13, %xmm20
	vfmsub231sd	%xmm2, %xmm15, %xmm10
	vfmsub231sd	%xmm0, %xmm16, %xmm11
	vfmsub231sd	%xmm1, %xmm17, %xmm9
	vfmsub231sd	%xmm5, %xmm15, %xmm7
	vfmsub231sd	%xmm4, %xmm17, %xmm6
	vfmsub231sd	%xmm3, %xmm16, %xmm8
	vfmadd231sd	%xmm0, %xmm29, %xmm20
	vmulsd	%xmm2, %xmm10, %xmm12
	vfmadd231sd	%xmm2, %xmm19, %xmm20
	vfmsub231sd	%xmm11, %xmm1, %xmm12
	vmulsd	%xmm0, %xmm11, %xmm11
	vmovsd	%xmm20, 64(%rsp)
	vfmsub231sd	%xmm9, %xmm2, %xmm11
	vmulsd	%xmm1, %xmm9, %xmm9
	vaddsd	%xmm6, %xmm12, %xmm6
	vaddsd	144(%rax,%rbx,8), %xmm6, %xmm6
	vfmsub231sd	%xmm10, %xmm0, %xmm9
	vmulsd	%xmm1, %xmm28, %xmm10
	vaddsd	%xmm7, %xmm11, %xmm7
	vaddsd	152(%rax,%rbx,8), %xmm7, %xmm7
	vmulsd	%xmm1, %xmm30, %xmm11
	vmulsd	%xmm4, %xmm30, %xmm1
	vfmadd231sd	%xmm0, %xmm14, %xmm10
	vaddsd	%xmm9, %xmm8, %xmm8
	vaddsd	160(%rax,%rbx,8), %xmm8, %xmm8
	vfmadd231sd	%xmm0, %xmm27, %xmm11
	vmulsd	%xmm4, %xmm28, %xmm0
	vmulsd	%xmm4, %xmm13, %xmm9
	vfmadd231sd	%xmm3, %xmm27, %xmm1
	vfmadd231sd	%xmm3, %xmm14, %xmm0
	vfmadd231sd	%xmm3, %xmm29, %xmm9
	vfmadd231sd	%xmm2, %xmm31, %xmm10
	vfmadd231sd	%xmm5, %xmm22, %xmm1
	vfmadd231sd	%xmm2, %xmm22, %xmm11
	vmulsd	%xmm7, %xmm28, %xmm4
	vfmadd231sd	%xmm5, %xmm31, %xmm0
	vfmadd231sd	%xmm5, %xmm19, %xmm9
	vmulsd	%xmm7, %xmm30, %xmm5
	vmovsd	%xmm10, 80(%rsp)
	vmovsd	%xmm1, 96(%rsp)
	vmovsd	%xmm11, 72(%rsp)
	vfmadd231sd	%xmm6, %xmm14, %xmm4
	vfmadd231sd	%xmm6, %xmm27, %xmm5
	vmovsd	%xmm0, 104(%rsp)
	vmovsd	%xmm9, 88(%rsp)
	vfmadd231sd	%xmm8, %xmm31, %xmm4
	vfmadd231sd	%xmm8, %xmm22, %xmm5
	vmovsd	%xmm4, 144(%rsp)
	vmulsd	%xmm7, %xmm13, %xmm4
	vmovsd	%xmm5, 136(%rsp)
	vfmadd231sd	%xmm6, %xmm29, %xmm4
	vfmadd231sd	%xmm8, %xmm19, %xmm4
	vmovsd	%xmm4, 128(%rsp)
	cmpq	$1, %r12
	je	.LBB3_11
	cmpq	$2, %r12
	je	.LBB3_12
	vmovapd	%xmm19, %xmm9
	movq	%r15, 376(%rsp)
	cmpq	$4, %r12
	jne	.LBB3_18
	movq	152(%rsp), %r8
	movq	744(%rsp), %rdi
	movq	816(%rsp), %r15
	movq	%r9, %rax
	sarq	$63, %rax
	vmovapd	%xmm11, %xmm19
	vmovsd	40(%rsp), %xmm11
	vmovsd	32(%rsp), %xmm6
	vmovsd	8(%rsp), %xmm12
	vmovsd	48(%rsp), %xmm16
	movl	$0, %esi
	vmovsd	24(%rsp), %xmm7
	vmovsd	56(%rsp), %xmm15
	vmovapd	%xmm10, %xmm17
	vmovsd	16(%rsp), %xmm10
	movq	%rax, %rcx
	leaq	(%r8,%r9,8), %rdx
	andq	%rdi, %rcx
	andq	%r15, %rax
	cmpq	$-1, %r9
	vmovsd	(%rdx,%rcx,8), %xmm0
	movl	$0, %ecx
	cmovlq	%rdi, %rcx
	vmovsd	8(%rdx,%rcx,8), %xmm1
	movl	$0, %ecx
	cmovlq	%r15, %rcx
	cmpq	$-2, %r9
	cmovlq	%rdi, %rsi
	vmovsd	16(%rdx,%rsi,8), %xmm2
	movq	160(%rsp), %rdx
	vmulsd	%xmm1, %xmm11, %xmm4
	vmulsd	%xmm1, %xmm6, %xmm3
	vmulsd	%xmm1, %xmm16, %xmm1
	leaq	(%rdx,%r9,8), %rdx
	vfmadd231sd	%xmm0, %xmm12, %xmm4
	vfmadd231sd	%xmm0, %xmm7, %xmm3
	vfmadd231sd	%xmm0, %xmm18, %xmm1
	vfmadd231sd	%xmm2, %xmm15, %xmm4
	vfmadd231sd	%xmm2, %xmm10, %xmm3
	vfmadd231sd	%xmm2, %xmm23, %xmm1
	vmulsd	%xmm4, %xmm28, %xmm0
	vmulsd	%xmm4, %xmm30, %xmm2
	vmulsd	%xmm4, %xmm13, %xmm4
	vfmadd231sd	%xmm3, %xmm14, %xmm0
	vfmadd231sd	%xmm3, %xmm27, %xmm2
	vfmadd231sd	%xmm3, %xmm29, %xmm4
	vmovsd	8(%rdx,%rcx,8), %xmm3
	vfmadd231sd	%xmm1, %xmm22, %xmm2
	vfmadd231sd	%xmm1, %xmm31, %xmm0
	vfmadd231sd	%xmm1, %xmm9, %xmm4
	vmovsd	(%rdx,%rax,8), %xmm1
	movl	$0, %eax
	cmovlq	%r15, %rax
	addq	$3, %r9
	vmovsd	16(%rdx,%rax,8), %xmm5
	vmulsd	%xmm3, %xmm6, %xmm6
	vmulsd	%xmm2, %xmm20, %xmm8
	vfmsub231sd	%xmm4, %xmm19, %xmm8
	vmulsd	%xmm4, %xmm17, %xmm4
	vfmadd231sd	%xmm1, %xmm7, %xmm6
	vmulsd	%xmm3, %xmm11, %xmm7
	vmulsd	%xmm3, %xmm16, %xmm3
	vfmsub231sd	%xmm0, %xmm20, %xmm4
	vmulsd	%xmm0, %xmm19, %xmm0
	vfmadd231sd	%xmm1, %xmm12, %xmm7
	vfmadd231sd	%xmm1, %xmm18, %xmm3
	vfmadd231sd	%xmm5, %xmm10, %xmm6
	vfmsub231sd	%xmm2, %xmm17, %xmm0
	vfmadd231sd	%xmm5, %xmm15, %xmm7
	vfmadd231sd	%xmm5, %xmm23, %xmm3
	vmulsd	%xmm7, %xmm28, %xmm1
	vmulsd	%xmm7, %xmm30, %xmm5
	vmulsd	%xmm7, %xmm13, %xmm7
	vfmadd231sd	%xmm6, %xmm14, %xmm1
	vfmadd231sd	%xmm6, %xmm27, %xmm5
	vfmadd231sd	%xmm6, %xmm29, %xmm7
	vmovsd	184(%rsp), %xmm6
	vfmadd231sd	%xmm3, %xmm31, %xmm1
	vfmadd231sd	%xmm3, %xmm22, %xmm5
	vfmadd231sd	%xmm3, %xmm9, %xmm7
	vfmadd213sd	%xmm1, %xmm6, %xmm8
	vmovsd	144(%rsp), %xmm1
	vfmadd213sd	%xmm5, %xmm6, %xmm4
	vfmadd213sd	%xmm7, %xmm6, %xmm0
	vaddsd	%xmm1, %xmm8, %xmm1
	vmovsd	%xmm1, 144(%rsp)
	vmovsd	136(%rsp), %xmm1
	vaddsd	%xmm4, %xmm1, %xmm1
	vmovsd	%xmm1, 136(%rsp)
	vmovsd	128(%rsp), %xmm1
	vaddsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, 128(%rsp)
	jmp	.LBB3_20
	.p2align	4
.LBB3_11:
	movq	152(%rsp), %rcx
	movq	%r9, %rbx
	sarq	$63, %rbx
	movq	696(%rsp), %rdi
	movabsq	$NRT_decref, %r12
	movq	%r9, %r14
	movq	%rbx, %rax
	andq	744(%rsp), %rax
	leaq	(%rcx,%r9,8), %rcx
	vmovsd	(%rcx,%rax,8), %xmm3
	vmovsd	%xmm3, 8(%rsp)
	callq	*%r12
	movq	160(%rsp), %rax
	andq	816(%rsp), %rbx
	vmovsd	88(%rsp), %xmm0
	movq	768(%rsp), %rdi
	leaq	(%rax,%r14,8), %rax
	vaddsd	(%rax,%rbx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 88(%rsp)
	callq	*%r12
	vmovsd	8(%rsp), %xmm0
	vmovsd	104(%rsp), %xmm1
	movq	200(%rsp), %r14
	vfmadd231sd	72(%rsp), %xmm0, %xmm1
	vmovsd	%xmm1, 104(%rsp)
	vmovsd	96(%rsp), %xmm1
	vfnmadd231sd	80(%rsp), %xmm0, %xmm1
	vmovsd	%xmm1, 96(%rsp)
	vmovsd	64(%rsp), %xmm1
	vaddsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, 64(%rsp)
	jmp	.LBB3_21
	.p2align	4
.LBB3_18:
	movq	816(%rsp), %r15
	movq	744(%rsp), %rdi
	movq	152(%rsp), %r8
.LBB3_20:
	movq	%r9, %rbx
	sarq	$63, %rbx
	leaq	(%r8,%r9,8), %rcx
	movl	$0, %edx
	movl	$0, %r12d
	movl	$0, %ebp
	movq	%r9, %r14
	vmovsd	%xmm18, 120(%rsp)
	vmovsd	%xmm23, 112(%rsp)
	movq	%rbx, %rax
	andq	%rdi, %rax
	cmpq	$-2, %r9
	cmovleq	%rdi, %rdx
	vmovsd	(%rcx,%rax,8), %xmm0
	movl	$0, %eax
	cmovlq	%r15, %r12
	cmovleq	%r15, %rbp
	vmovsd	8(%rcx,%rdx,8), %xmm1
	cmovlq	%rdi, %rax
	movq	696(%rsp), %rdi
	vmulsd	40(%rsp), %xmm1, %xmm4
	vmulsd	32(%rsp), %xmm1, %xmm3
	vmulsd	48(%rsp), %xmm1, %xmm1
	vmovsd	16(%rcx,%rax,8), %xmm2
	movabsq	$NRT_decref, %rax
	vfmadd231sd	8(%rsp), %xmm0, %xmm4
	vfmadd231sd	24(%rsp), %xmm0, %xmm3
	vfmadd231sd	56(%rsp), %xmm2, %xmm4
	vfmadd231sd	16(%rsp), %xmm2, %xmm3
	vfmadd231sd	%xmm0, %xmm18, %xmm1
	vfmadd231sd	%xmm2, %xmm23, %xmm1
	vmulsd	%xmm4, %xmm28, %xmm0
	vmulsd	%xmm4, %xmm30, %xmm5
	vmulsd	%xmm4, %xmm13, %xmm2
	vfmadd231sd	%xmm3, %xmm14, %xmm0
	vfmadd231sd	%xmm3, %xmm27, %xmm5
	vfmadd231sd	%xmm3, %xmm29, %xmm2
	vfmadd231sd	%xmm1, %xmm31, %xmm0
	vfmadd231sd	%xmm1, %xmm22, %xmm5
	vfmadd231sd	%xmm1, %xmm9, %xmm2
	vmovsd	%xmm0, 192(%rsp)
	vmovsd	%xmm5, 368(%rsp)
	vmovsd	%xmm2, 360(%rsp)
	callq	*%rax
	movq	160(%rsp), %rax
	andq	%r15, %rbx
	movq	768(%rsp), %rdi
	leaq	(%rax,%r14,8), %rax
	vmovsd	16(%rax,%r12,8), %xmm1
	vmovsd	(%rax,%rbx,8), %xmm0
	vmovsd	8(%rax,%rbp,8), %xmm2
	movabsq	$NRT_decref, %r12
	vmovsd	%xmm0, 352(%rsp)
	vmovsd	%xmm2, 336(%rsp)
	vmovsd	%xmm1, 344(%rsp)
	callq	*%r12
	vmovsd	336(%rsp), %xmm5
	vmovsd	352(%rsp), %xmm3
	vmovsd	344(%rsp), %xmm4
	vmovsd	64(%rsp), %xmm7
	vmovsd	368(%rsp), %xmm9
	vmovsd	72(%rsp), %xmm6
	vmovsd	360(%rsp), %xmm10
	vmovsd	192(%rsp), %xmm8
	movq	552(%rsp), %rbp
	movq	200(%rsp), %r14
	movq	376(%rsp), %r15
	vmulsd	40(%rsp), %xmm5, %xmm1
	vmulsd	32(%rsp), %xmm5, %xmm0
	vmulsd	48(%rsp), %xmm5, %xmm2
	vmovsd	80(%rsp), %xmm5
	vfmadd231sd	8(%rsp), %xmm3, %xmm1
	vfmadd231sd	24(%rsp), %xmm3, %xmm0
	vfmadd231sd	120(%rsp), %xmm3, %xmm2
	vfmadd231sd	56(%rsp), %xmm4, %xmm1
	vfmadd231sd	16(%rsp), %xmm4, %xmm0
	vfmadd231sd	112(%rsp), %xmm4, %xmm2
	vmulsd	312(%rsp), %xmm1, %xmm3
	vmulsd	280(%rsp), %xmm1, %xmm4
	vmulsd	248(%rsp), %xmm1, %xmm1
	vfmadd231sd	296(%rsp), %xmm0, %xmm3
	vfmadd231sd	256(%rsp), %xmm0, %xmm1
	vfmadd231sd	288(%rsp), %xmm0, %xmm4
	vmulsd	%xmm7, %xmm9, %xmm0
	vfmsub231sd	%xmm10, %xmm6, %xmm0
	vfmadd231sd	304(%rsp), %xmm2, %xmm3
	vfmadd231sd	264(%rsp), %xmm2, %xmm1
	vfmadd231sd	272(%rsp), %xmm2, %xmm4
	vmulsd	%xmm5, %xmm10, %xmm2
	vfmsub231sd	%xmm8, %xmm7, %xmm2
	vaddsd	%xmm7, %xmm10, %xmm7
	vmovsd	%xmm7, 64(%rsp)
	vaddsd	%xmm3, %xmm0, %xmm0
	vmulsd	%xmm6, %xmm8, %xmm3
	vaddsd	%xmm4, %xmm2, %xmm2
	vaddsd	%xmm6, %xmm9, %xmm6
	vfmsub231sd	%xmm9, %xmm5, %xmm3
	vaddsd	%xmm5, %xmm8, %xmm5
	vmovsd	%xmm6, 72(%rsp)
	vmovsd	%xmm5, 80(%rsp)
	vaddsd	%xmm1, %xmm3, %xmm1
	vmovsd	104(%rsp), %xmm3
	vaddsd	%xmm0, %xmm3, %xmm3
	vmovsd	96(%rsp), %xmm0
	vmovsd	%xmm3, 104(%rsp)
	vaddsd	%xmm2, %xmm0, %xmm0
	vmovsd	%xmm0, 96(%rsp)
	vmovsd	88(%rsp), %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	vmovsd	%xmm0, 88(%rsp)
	jmp	.LBB3_21
.LBB3_22:
	movq	696(%rsp), %rdi
	vzeroupper
	callq	*%r12
	movq	624(%rsp), %rdi
	callq	*%r12
	movq	520(%rsp), %rax
	movq	584(%rsp), %r12
	movq	512(%rsp), %rbp
	movabsq	$9223372036854775806, %rcx
	addq	$-2, %rax
	cmpq	%rcx, %rax
	ja	.LBB3_34
	movq	1000(%rsp), %rcx
	movq	808(%rsp), %rdx
	movq	800(%rsp), %rsi
	movabsq	$2305843009213693951, %r13
	movq	%rcx, %rax
	sarq	$63, %rax
	andq	%rax, %rdx
	andq	880(%rsp), %rax
	addq	%rcx, %rdx
	imulq	816(%rsp), %rdx
	addq	%rcx, %rax
	imulq	888(%rsp), %rax
	movq	872(%rsp), %rcx
	leaq	(%rsi,%rdx,8), %rdx
	movq	600(%rsp), %rsi
	movq	%rdx, 24(%rsp)
	movq	232(%rsp), %rdx
	leaq	(%rcx,%rax,8), %rax
	movq	528(%rsp), %rcx
	movq	%rax, 16(%rsp)
	shlq	$3, %rdx
	movq	%rdx, %rax
	imulq	%rsi, %rax
	shlq	$3, %rsi
	imulq	%rcx, %rdx
	shlq	$3, %rcx
	negq	%rsi
	negq	%rcx
	movq	%rsi, 56(%rsp)
	movq	%rcx, 48(%rsp)
	movq	168(%rsp), %rcx
	addq	%rax, %r12
	addq	%rdx, %rbp
	movq	520(%rsp), %rdx
	addq	%rdx, %r13
	addq	%rcx, %r13
	movq	968(%rsp), %rax
	leaq	(,%rax,8), %rax
	imulq	%rax, %r13
	addq	944(%rsp), %r13
	negq	%rax
	movq	%rax, 40(%rsp)
	jmp	.LBB3_24
	.p2align	4
.LBB3_28:
	movq	24(%rsp), %rcx
	movq	%r14, %rbx
	sarq	$63, %rbx
	movq	%rbx, %rax
	andq	816(%rsp), %rax
	leaq	(%rcx,%r14,8), %rcx
	vfmadd231sd	(%rcx,%rax,8), %xmm0, %xmm21
	vmovsd	%xmm21, 32(%rsp)
.LBB3_27:
	movq	768(%rsp), %rdi
	movabsq	$NRT_decref, %rbp
	callq	*%rbp
	vmovsd	32(%rsp), %xmm0
	movq	16(%rsp), %rax
	movq	840(%rsp), %rdi
	andq	888(%rsp), %rbx
	leaq	(%rax,%r14,8), %rax
	vmovsd	%xmm0, (%rax,%rbx,8)
	callq	*%rbp
	xorl	%edi, %edi
	xorl	%ebx, %ebx
.LBB3_33:
	movq	240(%rsp), %r14
	decq	%r14
	callq	*%rbp
	movq	%rbx, %rdi
	callq	*%rbp
	movq	%r15, %rax
	sarq	$63, %rax
	andq	960(%rsp), %rax
	addq	168(%rsp), %r15
	vmovsd	96(%rsp), %xmm5
	vmovsd	88(%rsp), %xmm6
	vmovsd	72(%rsp), %xmm4
	movq	912(%rsp), %rbx
	addq	%rax, %r15
	imulq	968(%rsp), %r15
	movq	944(%rsp), %rax
	movq	%rbx, %rdi
	vaddsd	168(%rax,%r15,8), %xmm5, %xmm0
	vmovsd	%xmm0, 168(%rax,%r15,8)
	vaddsd	176(%rax,%r15,8), %xmm6, %xmm0
	vmovsd	%xmm0, 176(%rax,%r15,8)
	vaddsd	184(%rax,%r15,8), %xmm4, %xmm0
	vmovsd	%xmm0, 184(%rax,%r15,8)
	vmovsd	88(%r13), %xmm2
	vmovsd	80(%r13), %xmm1
	vmovsd	72(%r13), %xmm0
	vmulsd	%xmm2, %xmm6, %xmm3
	vfmsub231sd	%xmm1, %xmm4, %xmm3
	vmulsd	%xmm1, %xmm5, %xmm1
	vmulsd	%xmm0, %xmm4, %xmm4
	vfmsub231sd	%xmm0, %xmm6, %xmm1
	vaddsd	80(%rsp), %xmm3, %xmm0
	vfmsub231sd	%xmm2, %xmm5, %xmm4
	vaddsd	64(%rsp), %xmm4, %xmm2
	vaddsd	8(%rsp), %xmm1, %xmm1
	vaddsd	192(%rax,%r15,8), %xmm0, %xmm0
	vmovsd	%xmm0, 192(%rax,%r15,8)
	vaddsd	200(%rax,%r15,8), %xmm2, %xmm0
	vmovsd	%xmm0, 200(%rax,%r15,8)
	vaddsd	208(%rax,%r15,8), %xmm1, %xmm0
	vmovsd	%xmm0, 208(%rax,%r15,8)
	callq	*%rbp
	movq	104(%rsp), %rbp
	addq	56(%rsp), %r12
	addq	40(%rsp), %r13
	movq	%r14, 240(%rsp)
	addq	48(%rsp), %rbp
	cmpq	$1, %r14
	jle	.LBB3_34
.LBB3_24:
	movq	768(%rsp), %rdi
	movabsq	$NRT_incref, %r14
	callq	*%r14
	movq	840(%rsp), %rdi
	callq	*%r14
	movq	%rbx, %rdi
	callq	*%r14
	vmovsd	176(%r13), %xmm2
	vmovsd	8(%r13), %xmm6
	vmovsd	200(%r13), %xmm4
	vmovsd	32(%r13), %xmm9
	vmovsd	56(%r13), %xmm12
	vmovsd	168(%r13), %xmm1
	vmovsd	192(%r13), %xmm3
	vmovsd	(%r13), %xmm5
	vmovsd	24(%r13), %xmm8
	vmovsd	48(%r13), %xmm11
	vmovsd	184(%r13), %xmm21
	vmovsd	208(%r13), %xmm20
	vmovsd	16(%r13), %xmm7
	vmovsd	40(%r13), %xmm10
	vmovsd	64(%r13), %xmm13
	vmovsd	176(%r12), %xmm0
	movq	(%rbp), %rax
	movq	8(%rbp), %r15
	movq	24(%rbp), %r14
	movq	%rbp, 104(%rsp)
	vmulsd	%xmm6, %xmm2, %xmm14
	vmulsd	%xmm2, %xmm9, %xmm15
	vmulsd	%xmm12, %xmm2, %xmm17
	vmulsd	%xmm6, %xmm4, %xmm16
	vmulsd	%xmm9, %xmm4, %xmm18
	vmulsd	%xmm12, %xmm4, %xmm19
	vfmadd231sd	%xmm5, %xmm1, %xmm14
	vfmadd231sd	%xmm8, %xmm1, %xmm15
	vfmadd231sd	%xmm1, %xmm11, %xmm17
	vfmadd231sd	%xmm5, %xmm3, %xmm16
	vfmadd231sd	%xmm8, %xmm3, %xmm18
	vfmadd231sd	%xmm11, %xmm3, %xmm19
	vfmadd231sd	%xmm7, %xmm21, %xmm14
	vfmadd231sd	%xmm10, %xmm21, %xmm15
	vfmadd231sd	%xmm13, %xmm21, %xmm17
	vfmadd231sd	%xmm7, %xmm20, %xmm16
	vfmadd231sd	%xmm10, %xmm20, %xmm18
	vfmadd231sd	%xmm13, %xmm20, %xmm19
	vmovsd	%xmm14, 96(%rsp)
	vmovsd	%xmm15, 88(%rsp)
	vmovsd	%xmm16, 80(%rsp)
	vmovsd	%xmm17, 72(%rsp)
	vmovsd	%xmm18, 64(%rsp)
	vmovsd	%xmm19, 8(%rsp)
	cmpq	$2, %rax
	je	.LBB3_28
	cmpq	$1, %rax
	jne	.LBB3_29
	movq	24(%rsp), %rcx
	movq	%r14, %rbx
	sarq	$63, %rbx
	movq	%rbx, %rax
	andq	816(%rsp), %rax
	leaq	(%rcx,%r14,8), %rcx
	vfmadd231sd	(%rcx,%rax,8), %xmm0, %xmm20
	vmovsd	%xmm20, 32(%rsp)
	jmp	.LBB3_27
	.p2align	4
.LBB3_29:
	vmovsd	(%r12), %xmm7
	vmovsd	8(%r12), %xmm5
	vmovsd	16(%r12), %xmm4
	vmovsd	24(%r12), %xmm9
	vmovsd	32(%r12), %xmm8
	vmovsd	40(%r12), %xmm6
	vmovsd	48(%r12), %xmm3
	vmovsd	56(%r12), %xmm2
	vmovsd	64(%r12), %xmm1
	cmpq	$4, %rax
	jne	.LBB3_30
	vmulsd	%xmm9, %xmm15, %xmm10
	movq	24(%rsp), %rdi
	movq	816(%rsp), %rsi
	movq	%r14, %rax
	sarq	$63, %rax
	movq	16(%rsp), %r9
	movq	888(%rsp), %r8
	vmulsd	%xmm8, %xmm15, %xmm11
	vmulsd	%xmm6, %xmm15, %xmm12
	movq	%rax, %rcx
	vfmadd231sd	%xmm7, %xmm14, %xmm10
	vfmadd231sd	%xmm5, %xmm14, %xmm11
	vfmadd231sd	%xmm4, %xmm14, %xmm12
	leaq	(%rdi,%r14,8), %rdx
	andq	%rsi, %rcx
	andq	%r8, %rax
	cmpq	$-1, %r14
	vfmadd231sd	%xmm3, %xmm17, %xmm10
	vfmadd231sd	(%rdx,%rcx,8), %xmm0, %xmm10
	leaq	(%r9,%r14,8), %rcx
	vfmadd231sd	%xmm2, %xmm17, %xmm11
	vfmadd231sd	%xmm1, %xmm17, %xmm12
	vmovsd	%xmm10, (%rcx,%rax,8)
	movl	$0, %eax
	cmovlq	%rsi, %rax
	vfmadd231sd	8(%rdx,%rax,8), %xmm0, %xmm11
	movl	$0, %eax
	cmovlq	%r8, %rax
	cmpq	$-2, %r14
	vmovsd	%xmm11, 8(%rcx,%rax,8)
	movl	$0, %eax
	cmovlq	%rsi, %rax
	vfmadd231sd	16(%rdx,%rax,8), %xmm0, %xmm12
	movl	$0, %eax
	cmovlq	%r8, %rax
	addq	$3, %r14
	vmovsd	%xmm12, 16(%rcx,%rax,8)
	jmp	.LBB3_32
.LBB3_30:
	movq	816(%rsp), %rsi
	movq	24(%rsp), %rdi
	movq	888(%rsp), %r8
	movq	16(%rsp), %r9
.LBB3_32:
	vmulsd	%xmm9, %xmm18, %xmm9
	movq	%r14, %rax
	sarq	$63, %rax
	leaq	(%rdi,%r14,8), %rdx
	movq	768(%rsp), %rdi
	movq	840(%rsp), %rbx
	movabsq	$NRT_decref, %rbp
	movq	%rax, %rcx
	andq	%rsi, %rcx
	andq	%r8, %rax
	cmpq	$-1, %r14
	vfmadd213sd	%xmm9, %xmm16, %xmm7
	vfmadd213sd	%xmm7, %xmm19, %xmm3
	vfmadd231sd	(%rdx,%rcx,8), %xmm0, %xmm3
	vmulsd	%xmm8, %xmm18, %xmm7
	leaq	(%r9,%r14,8), %rcx
	vfmadd213sd	%xmm7, %xmm16, %xmm5
	vfmadd213sd	%xmm5, %xmm19, %xmm2
	vmulsd	%xmm6, %xmm18, %xmm5
	vfmadd213sd	%xmm5, %xmm16, %xmm4
	vmovsd	%xmm3, (%rcx,%rax,8)
	movl	$0, %eax
	cmovlq	%rsi, %rax
	vfmadd231sd	8(%rdx,%rax,8), %xmm0, %xmm2
	movl	$0, %eax
	cmovlq	%r8, %rax
	cmpq	$-2, %r14
	vfmadd213sd	%xmm4, %xmm19, %xmm1
	vmovsd	%xmm2, 8(%rcx,%rax,8)
	movl	$0, %eax
	cmovlq	%rsi, %rax
	vfmadd231sd	16(%rdx,%rax,8), %xmm0, %xmm1
	movl	$0, %eax
	cmovlq	%r8, %rax
	vmovsd	%xmm1, 16(%rcx,%rax,8)
	jmp	.LBB3_33
.LBB3_34:
	movq	768(%rsp), %rdi
	movabsq	$NRT_decref, %r14
	callq	*%r14
	movq	840(%rsp), %rdi
	callq	*%r14
	movq	%rbx, %rdi
	callq	*%r14
	movq	320(%rsp), %rdi
	callq	*%r14
	movq	552(%rsp), %rdi
	callq	*%r14
	movq	328(%rsp), %rax
	movq	$0, (%rax)
	xorl	%eax, %eax
	addq	$456, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end3:
	.size	_ZN6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx, .Lfunc_end3-_ZN6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx
	.cfi_endproc

	.weak	NRT_incref
	.p2align	4
	.type	NRT_incref,@function
NRT_incref:
	testq	%rdi, %rdi
	je	.LBB4_2
	lock		incq	(%rdi)
.LBB4_2:
	retq
.Lfunc_end4:
	.size	NRT_incref, .Lfunc_end4-NRT_incref

	.weak	NRT_decref
	.p2align	4
	.type	NRT_decref,@function
NRT_decref:
	.cfi_startproc
	testq	%rdi, %rdi
	je	.LBB5_2
	#MEMBARRIER
	lock		decq	(%rdi)
	je	.LBB5_3
.LBB5_2:
	retq
.LBB5_3:
	movabsq	$NRT_MemInfo_call_dtor, %rax
	#MEMBARRIER
	jmpq	*%rax
.Lfunc_end5:
	.size	NRT_decref, .Lfunc_end5-NRT_decref
	.cfi_endproc

	.type	.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727,@object
	.section	.lrodata,"al",@progbits
	.p2align	4, 0x0
.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727:
	.ascii	"\200\004\225A\000\000\000\000\000\000\000\214\bbuiltins\224\214\nValueError\224\223\224\214\036range() arg 3 must not be zero\224\205\224N\207\224."
	.size	.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727, 76

	.type	.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727.sha1,@object
	.p2align	4, 0x0
.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727.sha1:
	.ascii	"\312\216\373:r\326\024\376\207 2\314\343\2542`\007\243\007'"
	.size	.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727.sha1, 20

	.type	.const.picklebuf.ca8efb3a72d614fe872032cce3ac326007a30727,@object
	.p2align	4, 0x0
.const.picklebuf.ca8efb3a72d614fe872032cce3ac326007a30727:
	.quad	.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727
	.long	76
	.zero	4
	.quad	.const.pickledata.ca8efb3a72d614fe872032cce3ac326007a30727.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.ca8efb3a72d614fe872032cce3ac326007a30727, 40

	.type	.const.rnea_batch,@object
.const.rnea_batch:
	.asciz	"rnea_batch"
	.size	.const.rnea_batch, 11

	.type	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx,@object
	.comm	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx,8,8
	.type	".const.missing Environment: _ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx",@object
	.p2align	4, 0x0
".const.missing Environment: _ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx":
	.asciz	"missing Environment: _ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx"
	.size	".const.missing Environment: _ZN08NumbaEnv6carpal8dynamics7kernels4rnea10rnea_batchB2v1B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxxx", 391

	.type	".const.can't unbox array from PyObject into native value.  The object maybe of a different type",@object
	.p2align	4, 0x0
".const.can't unbox array from PyObject into native value.  The object maybe of a different type":
	.asciz	"can't unbox array from PyObject into native value.  The object maybe of a different type"
	.size	".const.can't unbox array from PyObject into native value.  The object maybe of a different type", 89

	.type	".const.Error creating Python tuple from runtime exception arguments",@object
	.p2align	4, 0x0
".const.Error creating Python tuple from runtime exception arguments":
	.asciz	"Error creating Python tuple from runtime exception arguments"
	.size	".const.Error creating Python tuple from runtime exception arguments", 61

	.type	".const.unknown error when calling native function",@object
	.p2align	4, 0x0
".const.unknown error when calling native function":
	.asciz	"unknown error when calling native function"
	.size	".const.unknown error when calling native function", 43

	.type	".const.Error creating Python tuple from runtime exception arguments.1",@object
	.p2align	4, 0x0
".const.Error creating Python tuple from runtime exception arguments.1":
	.asciz	"Error creating Python tuple from runtime exception arguments"
	.size	".const.Error creating Python tuple from runtime exception arguments.1", 61

	.type	".const.unknown error when calling native function.2",@object
	.p2align	4, 0x0
".const.unknown error when calling native function.2":
	.asciz	"unknown error when calling native function"
	.size	".const.unknown error when calling native function.2", 43

	.type	".const.<numba.core.cpu.CPUContext>",@object
	.p2align	4, 0x0
".const.<numba.core.cpu.CPUContext>":
	.asciz	"<numba.core.cpu.CPUContext>"
	.size	".const.<numba.core.cpu.CPUContext>", 28

	.type	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx,@object
	.comm	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea4rneaB2v2B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1msDALYIZgpSqwCKaAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExx,8,8
	.type	_ZN08NumbaEnv6carpal5model7kernels6tables9vector_atB2v3B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedE23Literal_5bint_5d_280_2924Literal_5bint_5d_2823_29,@object
	.comm	_ZN08NumbaEnv6carpal5model7kernels6tables9vector_atB2v3B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedE23Literal_5bint_5d_280_2924Literal_5bint_5d_2823_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v4B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2812_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v4B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2812_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v5B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2815_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v5B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2815_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v7B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2818_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v7B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2818_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v8B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2821_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v8B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2821_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v9B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2824_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB2v9B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedEx23Literal_5bint_5d_280_2924Literal_5bint_5d_2824_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea11_accelerateB3v10B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxx,@object
	.comm	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea11_accelerateB3v10B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxx,8,8
	.type	_ZN08NumbaEnv6carpal10kinematics7kernels5joint10joint_poseB3v11B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedExx,@object
	.comm	_ZN08NumbaEnv6carpal10kinematics7kernels5joint10joint_poseB3v11B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedExx,8,8
	.type	_ZN08NumbaEnv6carpal5model7kernels6tables9vector_atB3v13B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx23Literal_5bint_5d_289_29,@object
	.comm	_ZN08NumbaEnv6carpal5model7kernels6tables9vector_atB3v13B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx23Literal_5bint_5d_289_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels6sincos6sincosB3v14B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dEd,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels6sincos6sincosB3v14B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dEd,8,8
	.type	_ZN08NumbaEnv5numba7cpython8builtins6ol_int12_3clocals_3e4implB3v15B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwzQcAkiiD2aQIAEd,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins6ol_int12_3clocals_3e4implB3v15B86c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwzQcAkiiD2aQIAEd,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec36turn_zB3v16B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EEdd,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec36turn_zB3v16B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EEdd,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels10quaternion18rotation_from_wxyzB3v17B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dEdddd,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels10quaternion18rotation_from_wxyzB3v17B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dEdddd,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec37productB3v18B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EE8UniTupleIdLi9EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec37productB3v18B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EE8UniTupleIdLi9EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v21B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2812_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v21B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2812_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v22B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2815_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v22B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2815_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v23B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2818_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v23B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2818_29,8,8
	.type	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea11get_vector2B3v26B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedExx,@object
	.comm	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea11get_vector2B3v26B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedExx,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec35scaleB2v6B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dEd8UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec35scaleB2v6B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dEd8UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal5model7kernels6tables9vector_atB3v27B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx24Literal_5bint_5d_2813_29,@object
	.comm	_ZN08NumbaEnv6carpal5model7kernels6tables9vector_atB3v27B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx24Literal_5bint_5d_2813_29,8,8
	.type	_ZN08NumbaEnv6carpal5model7kernels6tables12symmetric_atB3v28B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx24Literal_5bint_5d_2816_29,@object
	.comm	_ZN08NumbaEnv6carpal5model7kernels6tables12symmetric_atB3v28B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx24Literal_5bint_5d_2816_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec315symmetric_timesB3v29B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi6EE8UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec315symmetric_timesB3v29B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi6EE8UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_matrixB3v30B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_280_298UniTupleIdLi9EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_matrixB3v30B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_280_298UniTupleIdLi9EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v31B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_289_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v31B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_289_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v32B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2812_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v32B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2812_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v33B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2815_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v33B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2815_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v34B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2818_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v34B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2818_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v35B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2821_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v35B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2821_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v36B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2824_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10put_vectorB3v36B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2824_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea8_projectB3v37B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxx,@object
	.comm	_ZN08NumbaEnv6carpal8dynamics7kernels4rnea8_projectB3v37B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIxLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi2E1C7mutable7alignedE5ArrayIdLi3E1C7mutable7alignedExxx,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v38B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2821_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v38B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2821_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v39B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2824_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v39B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2824_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_matrixB3v40B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_280_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_matrixB3v40B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_280_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec36rotateB3v19B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EE8UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec36rotateB3v19B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EE8UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal5model7kernels6tables9matrix_atB3v12B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx23Literal_5bint_5d_280_29,@object
	.comm	_ZN08NumbaEnv6carpal5model7kernels6tables9matrix_atB3v12B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi2E1C7mutable7alignedEx23Literal_5bint_5d_280_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec311rotate_backB3v25B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EE8UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec311rotate_backB3v25B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi9EE8UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10add_vectorB3v41B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2821_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10add_vectorB3v41B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2821_298UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v42B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_289_29,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10get_vectorB3v42B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx23Literal_5bint_5d_289_29,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec35crossB3v24B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi3EE8UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec35crossB3v24B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi3EE8UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels4vec33addB3v20B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi3EE8UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels4vec33addB3v20B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE8UniTupleIdLi3EE8UniTupleIdLi3EE,8,8
	.type	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10add_vectorB3v43B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2824_298UniTupleIdLi3EE,@object
	.comm	_ZN08NumbaEnv6carpal7spatial7kernels7scratch10add_vectorB3v43B94c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1erJ_2bXklRYnJJeq1mkB1iOQANQwYblAWUjoDi2gCAA_3d_3dE5ArrayIdLi3E1C7mutable7alignedExx24Literal_5bint_5d_2824_298UniTupleIdLi3EE,8,8
	.section	".note.GNU-stack","",@progbits
