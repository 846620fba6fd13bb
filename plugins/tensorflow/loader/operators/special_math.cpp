// Operators of linear algebra, spectra and special functions. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view special_math_operators = R"(
BandedTriangularSolve T lower=true adjoint=false
BatchCholesky T
BatchFFT COMPLEX64
BatchFFT2D COMPLEX64
BatchFFT3D COMPLEX64
BatchIFFT COMPLEX64
BatchIFFT2D COMPLEX64
BatchIFFT3D COMPLEX64
BatchMatrixDeterminant T
BatchMatrixInverse T adjoint=false
BatchMatrixSolve T adjoint=false
BatchMatrixSolveLs T fast=true
BatchMatrixTriangularSolve T lower=true adjoint=false
BatchSelfAdjointEig T
BatchSelfAdjointEigV2 e:T,v:T compute_v=true
BatchSvd s:T,u:T,v:T compute_uv=true full_matrices=false
BesselI0 T
BesselI0e T
BesselI1 T
BesselI1e T
BesselJ0 T
BesselJ1 T
BesselK0 T
BesselK0e T
BesselK1 T
BesselK1e T
BesselY0 T
BesselY1 T
Cholesky T
Dawsn T
Eig e:Tout,v:Tout compute_v=true
Einsum T
Expint T
FFT Tcomplex Tcomplex=COMPLEX64
FFT2D Tcomplex Tcomplex=COMPLEX64
FFT3D Tcomplex Tcomplex=COMPLEX64
FFTND Tcomplex Tcomplex=COMPLEX64
FresnelCos T
FresnelSin T
IFFT Tcomplex Tcomplex=COMPLEX64
IFFT2D Tcomplex Tcomplex=COMPLEX64
IFFT3D Tcomplex Tcomplex=COMPLEX64
IFFTND Tcomplex Tcomplex=COMPLEX64
IRFFT Treal Treal=FLOAT Tcomplex=COMPLEX64
IRFFT2D Treal Treal=FLOAT Tcomplex=COMPLEX64
IRFFT3D Treal Treal=FLOAT Tcomplex=COMPLEX64
IRFFTND Treal Treal=FLOAT Tcomplex=COMPLEX64
LogMatrixDeterminant sign:T,log_abs_determinant:T
Lu lu:T,p:output_idx_type output_idx_type=INT32
MatrixDeterminant T
MatrixExponential T
MatrixInverse T adjoint=false
MatrixLogarithm T
MatrixSolve T adjoint=false
MatrixSolveLs T fast=true
MatrixSquareRoot T
MatrixTriangularSolve T lower=true adjoint=false
Qr q:T,r:T full_matrices=false
RFFT Tcomplex Treal=FLOAT Tcomplex=COMPLEX64
RFFT2D Tcomplex Treal=FLOAT Tcomplex=COMPLEX64
RFFT3D Tcomplex Treal=FLOAT Tcomplex=COMPLEX64
RFFTND Tcomplex Treal=FLOAT Tcomplex=COMPLEX64
SelfAdjointEig T
SelfAdjointEigV2 e:T,v:T compute_v=true
Spence T
Svd s:T,u:T,v:T compute_uv=true full_matrices=false
TridiagonalMatMul T
TridiagonalSolve T partial_pivoting=true perturb_singular=false
)";

}  // namespace mo::tensorflow
