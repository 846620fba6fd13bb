"""make.py MODEL FOLDER: makes FOLDER/MODEL with TensorFlow's Object Detection API, and what TensorFlow says it detects.

For the environment that `run --install` makes. pipeline.config, the exported model, pictures.npy, tensorflow.npz."""
import importlib.abc
import importlib.machinery
import os
import re
import shutil
import sys
from unittest.mock import MagicMock

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """What the API imports and what building and exporting a model does not use."""
    names = ("tensorflow.contrib", "lvis", "pycocotools", "matplotlib", "cv2", "contextlib2", "PIL", "tensorflow_addons", "tensorflow_io",
             "tensorflow_hub", "tensorflow_datasets", "tensorflow_model_optimization", "gin", "pandas", "scipy", "official.vision",
             "official.nlp", "official.core", "official.modeling.optimization", "official.projects")

    def find_spec(self, name, path, target=None):
        if any(name == n or name.startswith(n + ".") for n in self.names):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__, module.__spec__, module.__name__ = [], spec, spec.name
        return module

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Absent())
for word, kind in (("int", int), ("float", float), ("bool", bool), ("object", object)):
    if word not in np.__dict__:  # as the API's numpy had them
        setattr(np, word, kind)
import tensorflow.compat.v1 as tf
from google.protobuf import text_format

HYPER = '{ regularizer {l2_regularizer { weight: 0 } } initializer { truncated_normal_initializer { stddev: 0.03 } } activation: RELU_6 batch_norm { scale: true decay: 0.9 epsilon: 0.001 } }'
PLAIN = '{ op: CONV regularizer {l2_regularizer { weight: 0 } } initializer { truncated_normal_initializer { stddev: 0.03 } } }'
FC = '{ op: FC regularizer {l2_regularizer { weight: 0 } } initializer { variance_scaling_initializer { factor: 1 uniform: true mode: FAN_AVG } } }'
def nms(score=0.3, iou=0.6, per=20, total=20): return 'batch_non_max_suppression { score_threshold: %g iou_threshold: %g max_detections_per_class: %d max_total_detections: %d }' % (score, iou, per, total)

def ssd(extractor, size=160, anchors=None, predictor='convolutional', more_extractor='', more='', classes=3, post=None, resizer=None):
    anchors = anchors or 'ssd_anchor_generator { num_layers: 6 min_scale: 0.2 max_scale: 0.95 aspect_ratios: 1 aspect_ratios: 2 aspect_ratios: 0.5 aspect_ratios: 3 aspect_ratios: 0.3333 }'
    p = {'convolutional': 'convolutional_box_predictor { min_depth: 0 max_depth: 0 num_layers_before_predictor: 0 use_dropout: false kernel_size: 1 box_code_size: 4 apply_sigmoid_to_scores: false conv_hyperparams %s }' % HYPER,
         'shared': 'weight_shared_convolutional_box_predictor { depth: 32 num_layers_before_predictor: 2 kernel_size: 3 class_prediction_bias_init: -1 conv_hyperparams %s %s }' % (HYPER, more)}[predictor]
    return 'model { ssd { num_classes: %d image_resizer { %s } feature_extractor { type: "%s" depth_multiplier: %s min_depth: 8 conv_hyperparams %s %s } box_coder { faster_rcnn_box_coder { y_scale: 10 x_scale: 10 height_scale: 5 width_scale: 5 } } matcher { argmax_matcher { matched_threshold: 0.5 unmatched_threshold: 0.5 } } similarity_calculator { iou_similarity { } } box_predictor { %s } anchor_generator { %s } post_processing { %s } loss { classification_loss { weighted_sigmoid { } } localization_loss { weighted_smooth_l1 { } } } } }' % (
        classes, resizer or 'fixed_shape_resizer { height: %d width: %d }' % (size, size), extractor, 1.0 if 'resnet' in extractor or 'efficientnet' in extractor else 0.5, HYPER, more_extractor, p, anchors, post or nms() + ' score_converter: SIGMOID')

def rcnn(extractor, predictor, resizer='fixed_shape_resizer { height: 160 width: 160 }', more='', stages=2, crop='initial_crop_size: 14 maxpool_kernel_size: 2 maxpool_stride: 2', anchors=None, classes=3, extra=''):
    return 'model { faster_rcnn { num_classes: %d image_resizer { %s } feature_extractor { type: "%s" first_stage_features_stride: 16 %s } first_stage_anchor_generator { %s } first_stage_box_predictor_conv_hyperparams %s first_stage_nms_score_threshold: 0 first_stage_nms_iou_threshold: 0.7 first_stage_max_proposals: 20 first_stage_localization_loss_weight: 2 first_stage_objectness_loss_weight: 1 %s second_stage_box_predictor { %s } second_stage_post_processing { %s score_converter: SOFTMAX } second_stage_localization_loss_weight: 2 second_stage_classification_loss_weight: 1 %s %s } }' % (
        classes, resizer, extractor, more, anchors or 'grid_anchor_generator { height_stride: 16 width_stride: 16 scales: 0.25 scales: 0.5 scales: 1 scales: 2 aspect_ratios: 0.5 aspect_ratios: 1 aspect_ratios: 2 height: 64 width: 64 }', PLAIN, crop, predictor, nms(), extra, '')
BOX = 'mask_rcnn_box_predictor { fc_hyperparams %s use_dropout: false dropout_keep_probability: 1 }' % FC
MASK = 'mask_rcnn_box_predictor { fc_hyperparams %s use_dropout: false dropout_keep_probability: 1 predict_instance_masks: true mask_height: 15 mask_width: 15 mask_prediction_conv_depth: 0 mask_prediction_num_conv_layers: 2 conv_hyperparams %s }' % (FC, PLAIN)
RFCN = 'rfcn_box_predictor { crop_height: 18 crop_width: 18 num_spatial_bins_height: 3 num_spatial_bins_width: 3 conv_hyperparams %s }' % PLAIN
KEEP = 'keep_aspect_ratio_resizer { min_dimension: 160 max_dimension: 256 }'
MULTI = 'multiscale_anchor_generator { min_level: 3 max_level: 7 anchor_scale: 4 aspect_ratios: 1 aspect_ratios: 2 aspect_ratios: 0.5 scales_per_octave: 2 }'
MODELS = {
    'ssd_mobilenet_v1': (1, ssd('ssd_mobilenet_v1')),
    'ssd_mobilenet_v2': (1, ssd('ssd_mobilenet_v2')),
    'ssd_mobilenet_v1_fpn': (1, ssd('ssd_mobilenet_v1_fpn', 160, MULTI, 'shared')),
    'faster_rcnn': (1, rcnn('faster_rcnn_resnet50', BOX)),
    'faster_rcnn_keep': (1, rcnn('faster_rcnn_resnet50', BOX, KEEP)),
    'faster_rcnn_inception_v2': (1, rcnn('faster_rcnn_inception_v2', BOX)),
    'mask_rcnn': (1, rcnn('faster_rcnn_resnet50', MASK, extra='number_of_stages: 3 second_stage_mask_prediction_loss_weight: 4', more='')),
    'rfcn': (1, rcnn('faster_rcnn_resnet50', RFCN, crop='')),
    'ssd_mobilenet_v2_tf2': (2, ssd('ssd_mobilenet_v2_keras')),
    'ssd_mobilenet_v2_fpn_tf2': (2, ssd('ssd_mobilenet_v2_fpn_keras', 160, MULTI, 'shared', 'fpn { min_level: 3 max_level: 7 additional_layer_depth: 32 } override_base_feature_extractor_hyperparams: true use_depthwise: true')),
    'ssd_resnet50_fpn_tf2': (2, ssd('ssd_resnet50_v1_fpn_keras', 160, MULTI, 'shared', 'fpn { min_level: 3 max_level: 7 additional_layer_depth: 64 } override_base_feature_extractor_hyperparams: true')),
    'faster_rcnn_tf2': (2, rcnn('faster_rcnn_resnet50_keras', BOX)),
    'mask_rcnn_tf2': (2, rcnn('faster_rcnn_resnet50_keras', MASK, extra='number_of_stages: 3 second_stage_mask_prediction_loss_weight: 4')),
    'efficientdet_tf2': (2, ssd('ssd_efficientnet-b0_bifpn_keras', 256, MULTI, 'shared', 'bifpn { min_level: 3 max_level: 7 num_iterations: 2 num_filters: 32 } override_base_feature_extractor_hyperparams: true', 'use_depthwise: true', resizer='keep_aspect_ratio_resizer { min_dimension: 256 max_dimension: 256 pad_to_max_dimension: true }')),
}


def values(name, shape, random):
    """Random ones, with which activations keep the size that pictures have up to the heads."""
    if name.endswith("moving_variance"):
        return random.uniform(.7, 1.3, shape)
    if name.endswith(("moving_mean", "beta")):
        return random.normal(0, .2, shape)
    if name.endswith("gamma"):  # of the last normalization of a block with a sum it is small
        last = any(s in name for s in ("conv3/BatchNorm", "_3_bn", "project_bn", "expanded_conv")) and "expand" not in name.rsplit("/", 2)[-2]
        return random.uniform(.7, 1.3, shape) * (.3 if last else 1)
    if name.endswith(("biases", "bias")):
        return random.normal(0, .3, shape)
    if "depthwise" in name:
        return random.normal(0, .35, shape)
    scale = np.sqrt(2 / max(1, np.prod(shape[:-1])))
    if "conv1" in name and shape[:3] == [7, 7, 3]:  # of pictures without their mean
        scale *= .02
    return random.normal(0, scale, shape)


# What predict() gives, the weights that make it, and its deviation. Those of the first stage come first.
ONE_STAGE = (("box_encodings", r"/(BoxEncodingPredictor|BoxPredictor)[/_]", .7),
             ("class_predictions_with_background", r"/ClassPredictor[/_]", 1.5))
TWO_STAGES = (("rpn_box_encodings", r"FirstStageBoxPredictor/.*BoxEncodingPredictor", .7),
              ("rpn_objectness_predictions_with_background", r"FirstStageBoxPredictor/.*ClassPredictor", 1.5),
              ("refined_box_encodings", r"(SecondStage|mask_rcnn).*(BoxEncodingPredictor|refined_locations)", .7),
              ("class_predictions_with_background", r"(SecondStage|mask_rcnn).*(ClassPredictor|class_predictions)", 2.))


def picture(height, width):
    random = np.random.default_rng(3)
    coarse = random.uniform(0, 255, (7, 7, 3))
    y, x = np.linspace(0, 5.999, height), np.linspace(0, 5.999, width)
    top, left = y.astype(int), x.astype(int)
    down, right = (y - top)[:, None, None], (x - left)[None, :, None]
    smooth = sum(coarse[top + i][:, left + k] * (down if i else 1 - down) * (right if k else 1 - right) for i in (0, 1) for k in (0, 1))
    return np.clip(smooth + random.normal(0, 25, smooth.shape), 0, 255).astype(np.uint8)[None]


def scale_heads(predicted, weights, load):
    heads = TWO_STAGES if "rpn_box_encodings" in predicted() else ONE_STAGE
    for key, expression, deviation in heads:
        now = predicted()
        mine = [v for v in weights if re.search(expression, v) and v.endswith(("weights", "kernel"))]
        if key not in now:
            continue
        assert mine, (key, sorted(weights))
        for v in mine:
            weights[v] = weights[v] * (deviation / now[key].std())
            load(v, weights[v])


def make_1(config, where, pictures):
    """As the exporter for TensorFlow 1 does it: a frozen graph."""
    from object_detection import exporter
    from object_detection.builders import model_builder
    random = np.random.default_rng(5)
    with tf.Graph().as_default():
        model = model_builder.build(config.model, is_training=False)
        images, shapes = model.preprocess(tf.cast(pictures, tf.float32))
        prediction = model.predict(images, shapes)
        model.postprocess(prediction, shapes)
        tf.train.get_or_create_global_step()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            variables = {v.op.name: v for v in tf.global_variables() if v.dtype.base_dtype == tf.float32}
            weights = {n: values(n, v.shape.as_list(), random) for n, v in variables.items()}
            load = lambda n, w: variables[n].load(w.astype(np.float32), session)
            for n, w in weights.items():
                load(n, w)
            kept = {k: v for k, v in prediction.items() if isinstance(v, tf.Tensor)}
            scale_heads(lambda: session.run(kept), weights, load)
            tf.train.Saver().save(session, os.path.join(where, "made_of", "model"))
    tf.reset_default_graph()
    exporter.export_inference_graph("image_tensor", config, os.path.join(where, "made_of", "model"), where, input_shape=[None, None, None, 3])
    graph = tf.GraphDef()
    with open(os.path.join(where, "frozen_inference_graph.pb"), "rb") as file:
        graph.ParseFromString(file.read())
    with tf.Graph().as_default():
        tf.import_graph_def(graph, name="")
        names = [n.name for n in graph.node if re.fullmatch("detection_(boxes|scores|classes|masks)|num_detections", n.name)]
        with tf.Session() as session:
            return session.run({n: n + ":0" for n in names}, {"image_tensor:0": pictures})


def make_2(config, where, pictures):
    """As the exporter for TensorFlow 2 does it: a SavedModel."""
    import tensorflow.compat.v2 as tf2
    from object_detection import exporter_lib_v2
    from object_detection.builders import model_builder
    random = np.random.default_rng(5)
    model = model_builder.build(config.model, is_training=False)

    def predicted():
        images, shapes = model.preprocess(tf.cast(pictures, tf.float32))
        prediction = model.predict(images, shapes)
        model.postprocess(prediction, shapes)
        return {k: v.numpy() for k, v in prediction.items() if isinstance(v, tf.Tensor)}
    predicted()
    variables = {v.name.split(":")[0]: v for v in model.variables if v.dtype.base_dtype == tf.float32}
    weights = {n: values(n, v.shape.as_list(), random) for n, v in variables.items()}
    load = lambda n, w: variables[n].assign(w.astype(np.float32))
    for n, w in weights.items():
        load(n, w)
    scale_heads(predicted, weights, load)
    saved = os.path.join(where, "made_of")
    tf2.train.CheckpointManager(tf2.train.Checkpoint(model=model), saved, 1).save()
    exporter_lib_v2.export_inference_graph("image_tensor", config, saved, where)
    detect = tf2.saved_model.load(os.path.join(where, "saved_model")).signatures["serving_default"]
    return {k: v.numpy() for k, v in detect(tf2.constant(pictures)).items()}


def main():
    name, folder = sys.argv[1:]
    version, text = MODELS[name]
    where = os.path.join(folder, name)
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    with open(os.path.join(where, "pipeline.config"), "w") as file:
        file.write(text)
    if version == 1:  # before anything of the API is imported
        tf.disable_v2_behavior()
    from object_detection.protos import pipeline_pb2
    config = pipeline_pb2.TrainEvalPipelineConfig()
    text_format.Merge(text, config)
    pictures = picture(256 if name.startswith("efficientdet") else 160, {"efficientdet_tf2": 256, "faster_rcnn_keep": 200}.get(name, 160))
    np.save(os.path.join(where, "pictures.npy"), pictures)
    np.savez(os.path.join(where, "tensorflow.npz"), **(make_1 if version == 1 else make_2)(config, where, pictures))
    open(os.path.join(where, "made"), "w").close()


if __name__ == "__main__":
    main()
