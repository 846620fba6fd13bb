// Operators on strings. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view string_operators = R"(
AsString STRING precision=-1 scientific=false shortest=false width=-1 fill=''
DecodeBase64 STRING
EncodeBase64 STRING pad=false
ReduceJoin STRING keep_dims=false separator=''
RegexFullMatch BOOL
RegexReplace STRING replace_global=true
StaticRegexFullMatch BOOL
StaticRegexReplace STRING replace_global=true
StringFormat STRING template='%s' placeholder='%s' summarize=3
StringJoin STRING separator=''
StringLength INT32 unit='BYTE'
StringLower STRING encoding=''
StringNGrams ngrams:STRING,ngrams_splits:Tsplits Tsplits=INT64
StringSplit indices:INT64,values:STRING,shape:INT64 skip_empty=true
StringSplitV2 indices:INT64,values:STRING,shape:INT64 maxsplit=-1
StringStrip STRING
StringToHashBucket INT64
StringToHashBucketFast INT64
StringToHashBucketStrong INT64
StringUpper STRING encoding=''
Substr STRING unit='BYTE'
UnicodeDecode row_splits:Tsplits,char_values:INT32 errors='replace' replacement_char=65533 replace_control_characters=false Tsplits=INT64
UnicodeDecodeWithOffsets row_splits:Tsplits,char_values:INT32,char_to_byte_starts:INT64 errors='replace' replacement_char=65533 replace_control_characters=false Tsplits=INT64
UnicodeEncode STRING errors='replace' replacement_char=65533 Tsplits=INT64
UnicodeScript INT32
UnicodeTranscode STRING errors='replace' replacement_char=65533 replace_control_characters=false
UnsortedSegmentJoin STRING separator='' Tnumsegments=INT32
)";

}  // namespace mo::tensorflow
