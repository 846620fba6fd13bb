// Operators of arithmetic, comparison and reduction. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view math_operators = R"(
Abs T
Acos T
Acosh T
Add T
AccumulateNV2 T
AddN T
AddV2 T
All BOOL keep_dims=false Tidx=INT32
Angle Tout T=COMPLEX64 Tout=FLOAT
Any BOOL keep_dims=false Tidx=INT32
ApproximateEqual BOOL tolerance=1e-05
ArgMax output_type Tidx=INT32 output_type=INT64
ArgMin output_type Tidx=INT32 output_type=INT64
Asin T
Asinh T
Atan T
Atan2 T
Atanh T
BatchMatMul T adj_x=false adj_y=false grad_x=false grad_y=false
BatchMatMulV2 T adj_x=false adj_y=false grad_x=false grad_y=false
BatchMatMulV3 Tout adj_x=false adj_y=false grad_x=false grad_y=false
Betainc T
Bincount T
BitwiseAnd T
BitwiseOr T
BitwiseXor T
Bucketize INT32
Cast DstT Truncate=false
Ceil T
ClipByValue T
Complex Tout T=FLOAT Tout=COMPLEX64
ComplexAbs Tout T=COMPLEX64 Tout=FLOAT
Conj T T=COMPLEX64
Cos T
Cosh T
Cross T
Cumprod T exclusive=false reverse=false Tidx=INT32
Cumsum T exclusive=false reverse=false Tidx=INT32
CumulativeLogsumexp T exclusive=false reverse=false Tidx=INT32
DenseBincount T binary_output=false
Digamma T
Div T
DivNoNan T
Equal BOOL incompatible_shape_error=true
Erf T
Erfc T
Erfinv T
EuclideanNorm T keep_dims=false Tidx=INT32
Exp T
Expm1 T
Floor T
FloorDiv T
FloorMod T
Greater BOOL
GreaterEqual BOOL
HistogramFixedWidth dtype dtype=INT32
Igamma T
Igammac T
Imag Tout T=COMPLEX64 Tout=FLOAT
Inv T
Invert T
IsFinite BOOL
IsInf BOOL
IsNan BOOL
LeftShift T
Less BOOL
LessEqual BOOL
Lgamma T
LinSpace T Tidx=INT32
Log T
Log1p T
LogicalAnd BOOL
LogicalNot BOOL
LogicalOr BOOL
MatMul T transpose_a=false transpose_b=false grad_a=false grad_b=false
Max T keep_dims=false Tidx=INT32
Maximum T
Mean T keep_dims=false Tidx=INT32
Min T keep_dims=false Tidx=INT32
Minimum T
Mod T
Mul T
MulNoNan T
Ndtri T
Neg T
NextAfter T T=FLOAT
NotEqual BOOL incompatible_shape_error=true
Polygamma T
PopulationCount UINT8
Pow T
Prod T keep_dims=false Tidx=INT32
QuantizeDownAndShrinkRange output:out_type,output_min:FLOAT,output_max:FLOAT
QuantizedAdd z:Toutput,min_z:FLOAT,max_z:FLOAT Toutput=QINT32
QuantizedMatMul out:Toutput,min_out:FLOAT,max_out:FLOAT Toutput=QINT32 transpose_a=false transpose_b=false Tactivation=QUINT8
QuantizedMul z:Toutput,min_z:FLOAT,max_z:FLOAT Toutput=QINT32
RaggedBincount T binary_output=false
Range Tidx Tidx=INT32
Real Tout T=COMPLEX64 Tout=FLOAT
RealDiv T
Reciprocal T
RequantizationRange output_min:FLOAT,output_max:FLOAT
RequantizationRangePerChannel output_min:FLOAT,output_max:FLOAT T=QINT32
Requantize output:out_type,output_min:FLOAT,output_max:FLOAT
RequantizePerChannel output:out_type,output_min:FLOAT,output_max:FLOAT T=QINT32 out_type=QUINT8
RightShift T
Rint T
Round T
Rsqrt T
SegmentMax T
SegmentMaxV2 T Tnumsegments=INT32
SegmentMean T
SegmentMin T
SegmentMinV2 T Tnumsegments=INT32
SegmentProd T
SegmentProdV2 T Tnumsegments=INT32
SegmentSum T
SegmentSumV2 T Tnumsegments=INT32
Select T
SelectV2 T
Sigmoid T
Sign T
Sin T
Sinh T
SobolSample dtype dtype=FLOAT
SparseBincount T binary_output=false
SparseMatMul FLOAT transpose_a=false transpose_b=false a_is_sparse=false b_is_sparse=false Ta=FLOAT Tb=FLOAT
SparseSegmentMean T Tidx=INT32 Tsegmentids=INT32 sparse_gradient=false
SparseSegmentMeanWithNumSegments T Tidx=INT32 Tnumsegments=INT32 Tsegmentids=INT32 sparse_gradient=false
SparseSegmentSqrtN T Tidx=INT32 Tsegmentids=INT32 sparse_gradient=false
SparseSegmentSqrtNWithNumSegments T Tidx=INT32 Tnumsegments=INT32 Tsegmentids=INT32 sparse_gradient=false
SparseSegmentSum T Tidx=INT32 Tsegmentids=INT32 sparse_gradient=false
SparseSegmentSumWithNumSegments T Tidx=INT32 Tnumsegments=INT32 Tsegmentids=INT32 sparse_gradient=false
Sqrt T
Square T
SquaredDifference T
Sub T
Sum T keep_dims=false Tidx=INT32
Tan T
Tanh T
TruncateDiv T
TruncateMod T
UnsortedSegmentMax T Tnumsegments=INT32
UnsortedSegmentMin T Tnumsegments=INT32
UnsortedSegmentProd T Tnumsegments=INT32
UnsortedSegmentSum T Tnumsegments=INT32
Xdivy T
Xlog1py T
Xlogy T
Zeta T
)";

}  // namespace mo::tensorflow
