// Operators that give random numbers. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view random_operators = R"(
AllCandidateSampler sampled_candidates:INT64,true_expected_count:FLOAT,sampled_expected_count:FLOAT seed=0 seed2=0
ComputeAccidentalHits indices:INT32,ids:INT64,weights:FLOAT seed=0 seed2=0
FixedUnigramCandidateSampler sampled_candidates:INT64,true_expected_count:FLOAT,sampled_expected_count:FLOAT vocab_file='' distortion=1.0 num_reserved_ids=0 num_shards=1 shard=0 unigrams=[] seed=0 seed2=0
KthOrderStatistic FLOAT
LearnedUnigramCandidateSampler sampled_candidates:INT64,true_expected_count:FLOAT,sampled_expected_count:FLOAT seed=0 seed2=0
LogUniformCandidateSampler sampled_candidates:INT64,true_expected_count:FLOAT,sampled_expected_count:FLOAT seed=0 seed2=0
Multinomial output_dtype seed=0 seed2=0 output_dtype=INT64
NonDeterministicInts dtype dtype=INT64 shape_dtype=INT64
ParameterizedTruncatedNormal dtype seed=0 seed2=0
RandomGamma T seed=0 seed2=0
RandomPoisson dtype seed=0 seed2=0
RandomPoissonV2 dtype seed=0 seed2=0 R=DOUBLE dtype=INT64
RandomShuffle T seed=0 seed2=0
RandomStandardNormal dtype seed=0 seed2=0
RandomUniform dtype seed=0 seed2=0
RandomUniformInt Tout seed=0 seed2=0
RngReadAndSkip INT64
RngSkip -
StatefulRandomBinomial dtype T=DOUBLE dtype=INT64
StatefulStandardNormal dtype dtype=FLOAT shape_dtype=INT64
StatefulStandardNormalV2 dtype dtype=FLOAT shape_dtype=INT64
StatefulTruncatedNormal dtype dtype=FLOAT shape_dtype=INT64
StatefulUniform dtype dtype=FLOAT shape_dtype=INT64
StatefulUniformFullInt dtype dtype=UINT64 shape_dtype=INT64
StatefulUniformInt dtype dtype=INT64 shape_dtype=INT64
StatelessMultinomial output_dtype Tseed=INT64 output_dtype=INT64
StatelessParameterizedTruncatedNormal dtype Tseed=INT64
StatelessRandomBinomial dtype Tseed=INT64 T=DOUBLE dtype=INT64
StatelessRandomGammaV2 dtype Tseed=INT64
StatelessRandomGammaV3 dtype shape_dtype=INT32
StatelessRandomGetAlg INT32
StatelessRandomGetKeyCounter key:UINT64,counter:UINT64 Tseed=INT64
StatelessRandomGetKeyCounterAlg key:UINT64,counter:UINT64,alg:INT32 Tseed=INT64
StatelessRandomNormal dtype dtype=FLOAT T=INT32 Tseed=INT64
StatelessRandomNormalV2 dtype dtype=FLOAT Tshape=INT32
StatelessRandomPoisson dtype Tseed=INT64
StatelessRandomUniform dtype dtype=FLOAT T=INT32 Tseed=INT64
StatelessRandomUniformFullInt dtype dtype=UINT64 T=INT32 Tseed=INT64
StatelessRandomUniformFullIntV2 dtype dtype=UINT64 Tshape=INT32
StatelessRandomUniformInt dtype Tseed=INT64
StatelessRandomUniformIntV2 dtype Tshape=INT32
StatelessRandomUniformV2 dtype dtype=FLOAT Tshape=INT32
StatelessShuffle T
StatelessTruncatedNormal dtype dtype=FLOAT T=INT32 Tseed=INT64
StatelessTruncatedNormalV2 dtype dtype=FLOAT Tshape=INT32
ThreadUnsafeUnigramCandidateSampler sampled_candidates:INT64,true_expected_count:FLOAT,sampled_expected_count:FLOAT seed=0 seed2=0
TruncatedNormal dtype seed=0 seed2=0
UniformCandidateSampler sampled_candidates:INT64,true_expected_count:FLOAT,sampled_expected_count:FLOAT seed=0 seed2=0
)";

}  // namespace mo::tensorflow
