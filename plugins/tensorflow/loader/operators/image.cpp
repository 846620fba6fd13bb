// Operators on images and sound. The form of the lines: loader/operators.hpp.
#include "loader/operators.hpp"

namespace mo::tensorflow {

const std::string_view image_operators = R"(
AdjustContrast FLOAT
AdjustContrastv2 T T=FLOAT
AdjustHue T T=FLOAT
AdjustSaturation T T=FLOAT
AudioSpectrogram FLOAT magnitude_squared=false
CombinedNonMaxSuppression nmsed_boxes:FLOAT,nmsed_scores:FLOAT,nmsed_classes:FLOAT,valid_detections:INT32 pad_per_class=false clip_boxes=true
CropAndResize FLOAT method='bilinear' extrapolation_value=0.0
DecodeAndCropJpeg UINT8 channels=0 ratio=1 fancy_upscaling=true try_recover_truncated=false acceptable_fraction=1.0 dct_method=''
DecodeBmp UINT8 channels=0
DecodeGif UINT8
DecodeImage dtype channels=0 dtype=UINT8 expand_animations=true
DecodeJpeg UINT8 channels=0 ratio=1 fancy_upscaling=true try_recover_truncated=false acceptable_fraction=1.0 dct_method=''
DecodePng dtype channels=0 dtype=UINT8
DecodeWav audio:FLOAT,sample_rate:INT32 desired_channels=-1 desired_samples=-1
DecodeWebP dtype channels=0 dtype=UINT8
DrawBoundingBoxes T T=FLOAT
DrawBoundingBoxesV2 T T=FLOAT
EncodeJpeg STRING format='' quality=95 progressive=false optimize_size=false chroma_downsampling=true density_unit='in' x_density=300 y_density=300 xmp_metadata=''
EncodeJpegVariableQuality STRING
EncodePng STRING compression=-1 T=UINT8
EncodeWav STRING
ExtractGlimpse FLOAT centered=true normalized=true uniform_noise=true noise='uniform'
ExtractGlimpseV2 FLOAT centered=true normalized=true uniform_noise=true noise='uniform'
ExtractJpegShape output_type output_type=INT32
GenerateBoundingBoxProposals rois:FLOAT,roi_probabilities:FLOAT post_nms_topn=300
HSVToRGB T T=FLOAT
ImageProjectiveTransformV2 dtype fill_mode='CONSTANT'
ImageProjectiveTransformV3 dtype fill_mode='CONSTANT'
Mfcc FLOAT upper_frequency_limit=4000.0 lower_frequency_limit=20.0 filterbank_channel_count=40 dct_coefficient_count=13
NonMaxSuppression INT32 iou_threshold=0.5
NonMaxSuppressionV2 INT32 T=FLOAT T_threshold=FLOAT
NonMaxSuppressionV3 INT32 T=FLOAT T_threshold=FLOAT
NonMaxSuppressionV4 selected_indices:INT32,valid_outputs:INT32 T=FLOAT T_threshold=FLOAT pad_to_max_output_size=false
NonMaxSuppressionV5 selected_indices:INT32,selected_scores:T,valid_outputs:INT32 T=FLOAT pad_to_max_output_size=false
NonMaxSuppressionWithOverlaps INT32
QuantizedResizeBilinear resized_images:T,out_min:FLOAT,out_max:FLOAT align_corners=false half_pixel_centers=false
RGBToHSV T T=FLOAT
RandomCrop T seed=0 seed2=0
ResizeArea FLOAT align_corners=false
ResizeBicubic FLOAT align_corners=false half_pixel_centers=false
ResizeBilinear FLOAT align_corners=false half_pixel_centers=false
ResizeNearestNeighbor T align_corners=false half_pixel_centers=false
SampleDistortedBoundingBox begin:T,size:T,bboxes:FLOAT seed=0 seed2=0 min_object_covered=0.1 aspect_ratio_range=[0.75,1.33] area_range=[0.05,1.0] max_attempts=100 use_image_if_no_bounding_boxes=false
SampleDistortedBoundingBoxV2 begin:T,size:T,bboxes:FLOAT seed=0 seed2=0 aspect_ratio_range=[0.75,1.33] area_range=[0.05,1.0] max_attempts=100 use_image_if_no_bounding_boxes=false
ScaleAndTranslate FLOAT kernel_type='lanczos3' antialias=true
StatelessSampleDistortedBoundingBox begin:T,size:T,bboxes:FLOAT aspect_ratio_range=[0.75,1.33] area_range=[0.05,1.0] max_attempts=100 use_image_if_no_bounding_boxes=false
)";

}  // namespace mo::tensorflow
