"""A second round of models for fresh_exports: architectures that its first has not, and decoders with their cache as inputs.

`add` gets the functions of fresh_exports."""
import contextlib
import importlib
import io
import os
import tempfile

import numpy as np


def lazily(config, **options):
    """A configuration that is made when transformers is there."""
    return lambda: getattr(importlib.import_module("transformers"), config)(**{k: v() if callable(v) else v for k, v in options.items()})


def add(f):
    decoders(f)
    texts(f)
    pictures(f)
    sounds(f)
    quantized(f)
    keras_networks(f)
    options_of_the_builder(f)


# ---- transformers


def decoders(f):
    hf, small, masked = f.transformer, f.SMALL, f.MASKED
    of_sizes = dict(dynamic=f.TEXT_SIZES, sizes=f.OTHER)
    special = dict(bos_token_id=1, eos_token_id=2, pad_token_id=0)
    rope = {"rope_type": "default", "rope_theta": 10000.0}
    two_ropes = {k: {"rope_type": "default", "rope_theta": v} for k, v in (("sliding_attention", 1e4), ("full_attention", 1e6))}
    windows = dict(sliding_window=8, layer_types=["sliding_attention", "full_attention"])
    ids = (f.tokens(2, 12),)

    def decoder(name, model, config, kinds, **options):
        f.torch_model(name, hf(model, config, *masked, **{**small, **special, **options}), *f.TEXT, kinds=kinds, **of_sizes)

    decoder("cohere2", "Cohere2ForCausalLM", "Cohere2Config", "pt2", num_key_value_heads=2, **windows)
    decoder("glm4", "Glm4ForCausalLM", "Glm4Config", "onnx", num_key_value_heads=2, head_dim=8)
    decoder("exaone4", "Exaone4ForCausalLM", "Exaone4Config", "pt2", num_key_value_heads=2, **windows)
    decoder("seed_oss", "SeedOssForCausalLM", "SeedOssConfig", "onnx", num_key_value_heads=2, head_dim=8)
    decoder("olmo3", "Olmo3ForCausalLM", "Olmo3Config", "onnx", num_key_value_heads=2, **windows)
    decoder("ernie4_5_moe", "Ernie4_5_MoeForCausalLM", "Ernie4_5_MoeConfig", "pt2", num_key_value_heads=2, moe_num_experts=4, moe_k=2, moe_num_shared_experts=1, moe_intermediate_size=32)
    decoder("glm4_moe", "Glm4MoeForCausalLM", "Glm4MoeConfig", "onnx", num_key_value_heads=2, head_dim=8, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, first_k_dense_replace=1, use_qk_norm=True)
    decoder("minimax_m2", "MiniMaxM2ForCausalLM", "MiniMaxM2Config", "pt2", num_key_value_heads=2, head_dim=8, num_local_experts=4, num_experts_per_tok=2)
    decoder("hunyuan_moe", "HunYuanMoEV1ForCausalLM", "HunYuanMoEV1Config", "onnx", num_key_value_heads=2, head_dim=8, num_experts=4, moe_topk=2)
    decoder("apertus", "ApertusForCausalLM", "ApertusConfig", "pt2 onnx", num_key_value_heads=2)
    decoder("diffllama", "DiffLlamaForCausalLM", "DiffLlamaConfig", "onnx", num_key_value_heads=2, head_dim=8)
    decoder("bitnet", "BitNetForCausalLM", "BitNetConfig", "pt2", num_key_value_heads=2)
    decoder("nanochat", "NanoChatForCausalLM", "NanoChatConfig", "pt2", num_key_value_heads=2)
    decoder("stablelm", "StableLmForCausalLM", "StableLmConfig", "onnx", num_key_value_heads=2, use_parallel_residual=True, qk_layernorm=True, partial_rotary_factor=0.5)
    decoder("starcoder2", "Starcoder2ForCausalLM", "Starcoder2Config", "pt2", num_key_value_heads=2, sliding_window=8)
    decoder("mixtral", "MixtralForCausalLM", "MixtralConfig", "pt2", num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2)
    decoder("phimoe", "PhimoeForCausalLM", "PhimoeConfig", "onnx", num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2)
    decoder("codegen", "CodeGenForCausalLM", "CodeGenConfig", "onnx", n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4)
    decoder("modern_bert_decoder", "ModernBertDecoderForCausalLM", "ModernBertDecoderConfig", "onnx", local_attention=8, rope_parameters=two_ropes, layer_types=windows["layer_types"])
    decoder("gemma3n", "Gemma3nForCausalLM", "Gemma3nTextConfig", "pt2", num_key_value_heads=2, head_dim=8, vocab_size_per_layer_input=99, hidden_size_per_layer_input=8, laurel_rank=4, num_kv_shared_layers=0, activation_sparsity_pattern=[0.9, 0.0], rope_parameters=two_ropes, **windows)
    decoder("gemma4", "Gemma4ForCausalLM", "Gemma4TextConfig", "onnx", num_key_value_heads=2, head_dim=8, global_head_dim=8, vocab_size_per_layer_input=99, hidden_size_per_layer_input=8, **windows)
    decoder("deepseek_v32", "DeepseekV32ForCausalLM", "DeepseekV32Config", "pt2", num_key_value_heads=4, moe_intermediate_size=32, n_routed_experts=4, num_experts_per_tok=2, n_group=2, topk_group=1, kv_lora_rank=16, q_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8, head_dim=8, first_k_dense_replace=1, index_topk=6, index_head_dim=16, index_n_heads=16)
    # State spaces and delta rules: their loops are unrolled by the exporter, so sizes are fixed.
    f.torch_model("qwen3_next", hf("Qwen3NextForCausalLM", "Qwen3NextConfig", "input_ids", num_key_value_heads=2, head_dim=8, linear_key_head_dim=8, linear_value_head_dim=8, linear_num_key_heads=2, linear_num_value_heads=4, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, shared_expert_intermediate_size=32, layer_types=["linear_attention", "full_attention"], **small), *ids, kinds="pt2")
    f.torch_model("falcon_h1", hf("FalconH1ForCausalLM", "FalconH1Config", "input_ids", num_key_value_heads=2, mamba_d_ssm=32, mamba_n_heads=4, mamba_d_head=8, mamba_d_state=8, mamba_chunk_size=8, **small), *ids, kinds="onnx")
    f.torch_model("nemotron_h", hf("NemotronHForCausalLM", "NemotronHConfig", "input_ids", num_key_value_heads=2, head_dim=8, mamba_num_heads=4, mamba_head_dim=8, ssm_state_size=8, n_groups=2, chunk_size=8, layers_block_type=["mamba", "attention", "moe"], n_routed_experts=4, moe_intermediate_size=32, moe_shared_expert_intermediate_size=32, use_mamba_kernels=False, **{**small, "num_hidden_layers": 3}), *ids, kinds="pt2")
    f.torch_model("bamba", hf("BambaForCausalLM", "BambaConfig", "input_ids", num_key_value_heads=2, mamba_n_heads=4, mamba_d_head=16, mamba_d_state=8, mamba_chunk_size=8, attn_layer_indices=[1], **small), *ids, kinds="onnx")
    f.torch_model("kimi_linear", hf("KimiLinearForCausalLM", "KimiLinearConfig", "input_ids", num_key_value_heads=4, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8, num_local_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, linear_head_dim=8, linear_num_heads=4, layer_types=["linear_attention", "full_attention"], mlp_layer_types=["dense", "sparse"], **special, **small), *ids, kinds="pt2")

    # A step with a cache: tokens, a mask over past and present, and keys and values of each layer.
    def cached(model, config, **options):
        def make():
            import torch
            import transformers
            configuration = getattr(transformers, config)(**{**small, **special, **options})
            made = getattr(transformers, model)(configuration).eval()

            class Step(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.model = made

                def forward(self, ids, mask, keys0, values0, keys1, values1):
                    cache = transformers.DynamicCache()
                    cache.update(keys0, values0, 0)
                    cache.update(keys1, values1, 1)
                    out = self.model(input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True, return_dict=True)
                    kept = out.past_key_values
                    return out.logits, kept.layers[0].keys, kept.layers[0].values, kept.layers[1].keys, kept.layers[1].values
            return Step()
        return make

    cache = f.image(2, 2, 5, 8)
    lengths = {0: "batch", 2: "past"}
    for name, model, config, kinds, options in (("llama_cache", "LlamaForCausalLM", "LlamaConfig", "pt2 onnx", {}), ("granite_cache", "GraniteForCausalLM", "GraniteConfig", "onnx", dict(attention_multiplier=0.2, logits_scaling=2.0)), ("qwen3_cache", "Qwen3ForCausalLM", "Qwen3Config", "pt2", dict(head_dim=8))):
        f.torch_model(name, cached(model, config, num_key_value_heads=2, **options), f.tokens(2, 3), f.ones(2, 8), cache, cache, cache, cache, kinds=kinds,
                      dynamic=({0: "batch", 1: "length"}, {0: "batch", 1: "whole"}, lengths, lengths, lengths, lengths), sizes=({"batch": 1, "length": 1, "past": 9, "whole": 10}, {"batch": 3, "length": 2, "past": 4, "whole": 6}))


def texts(f):
    hf, small, masked = f.transformer, f.SMALL, f.MASKED
    of_sizes = dict(dynamic=f.TEXT_SIZES, sizes=f.OTHER)
    corners = np.random.RandomState(5).randint(0, 30, (2, 12, 4))
    boxes = f.values((corners + [0, 0, 30, 30]).tolist())
    f.torch_model("eurobert", hf("EuroBertModel", "EuroBertConfig", *masked, num_key_value_heads=2, bos_token_id=1, eos_token_id=2, pad_token_id=0, mask_token_id=3, **small), *f.TEXT, kinds="onnx", **of_sizes)
    f.torch_model("nomic_bert", hf("NomicBertModel", "NomicBertConfig", *masked, **small), *f.TEXT, kinds="pt2", **of_sizes)
    f.torch_model("jina_embeddings", hf("JinaEmbeddingsV3Model", "JinaEmbeddingsV3Config", *masked, **small), *f.TEXT, kinds="onnx", **of_sizes)
    f.torch_model("esm", hf("EsmForMaskedLM", "EsmConfig", *masked, position_embedding_type="rotary", token_dropout=False, emb_layer_norm_before=True, pad_token_id=0, mask_token_id=1, **small), *f.TEXT, kinds="pt2", **of_sizes)
    f.torch_model("mobile_bert", hf("MobileBertModel", "MobileBertConfig", *masked, embedding_size=16, true_hidden_size=16, intra_bottleneck_size=16, num_feedforward_networks=2, **small), *f.TEXT, kinds="onnx", **of_sizes)
    f.torch_model("roformer", hf("RoFormerModel", "RoFormerConfig", *masked, embedding_size=32, rotary_value=True, **small), *f.TEXT, kinds="pt2", **of_sizes)
    f.torch_model("electra", hf("ElectraForTokenClassification", "ElectraConfig", *masked, embedding_size=16, **small), *f.TEXT, kinds="onnx", **of_sizes)
    f.torch_model("deberta", hf("DebertaForSequenceClassification", "DebertaConfig", *masked, relative_attention=True, pos_att_type=["c2p", "p2c"], position_biased_input=False, **small), *f.TEXT, kinds="pt2", **of_sizes)
    f.torch_model("squeezebert", hf("SqueezeBertModel", "SqueezeBertConfig", *masked, embedding_size=32, q_groups=2, k_groups=2, v_groups=2, post_attention_groups=1, intermediate_groups=2, output_groups=2, **small), *f.TEXT, kinds="onnx", **of_sizes)
    f.torch_model("layout_lm", hf("LayoutLMForTokenClassification", "LayoutLMConfig", "input_ids", "attention_mask", "bbox", max_2d_position_embeddings=64, **small), *f.TEXT, boxes, kinds="onnx")
    f.torch_model("layout_lm_v3", hf("LayoutLMv3ForSequenceClassification", "LayoutLMv3Config", "input_ids", "attention_mask", "bbox", "pixel_values", take=("logits",), max_2d_position_embeddings=64, coordinate_size=6, shape_size=4, rel_pos_bins=8, max_rel_pos=16, rel_2d_pos_bins=8, max_rel_2d_pos=16, input_size=32, patch_size=8, **small), *f.TEXT, boxes, f.image(2, 3, 32, 32), kinds="pt2")
    f.torch_model("perceiver", hf("PerceiverForMaskedLM", "PerceiverConfig", "inputs", "attention_mask", take=("logits",), num_latents=8, d_latents=32, d_model=24, num_self_attends_per_block=2, num_self_attention_heads=4, num_cross_attention_heads=4, qk_channels=32, v_channels=32, vocab_size=99, max_position_embeddings=12), f.tokens(2, 12), f.ones(2, 12), kinds="onnx")
    pair = (f.tokens(2, 12), f.tokens(2, 5))
    pair_sizes = dict(dynamic=({0: "batch", 1: "length"}, {0: "batch", 1: "short"}), sizes=({"batch": 1, "length": 7, "short": 3}, {"batch": 3, "length": 19, "short": 9}))
    pair_names = ("input_ids", "decoder_input_ids")
    t5 = dict(d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, vocab_size=99, decoder_start_token_id=0)
    bart = dict(d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, vocab_size=99, max_position_embeddings=64, pad_token_id=1)
    f.torch_model("umt5", hf("UMT5ForConditionalGeneration", "UMT5Config", *pair_names, take=("logits",), feed_forward_proj="gated-gelu", **t5), *pair, kinds="pt2 onnx", **pair_sizes)
    f.torch_model("m2m_100", hf("M2M100ForConditionalGeneration", "M2M100Config", *pair_names, take=("logits",), **bart), *pair, kinds="onnx", **pair_sizes)
    f.torch_model("blenderbot", hf("BlenderbotForConditionalGeneration", "BlenderbotConfig", *pair_names, take=("logits",), **bart), *pair, kinds="pt2", **pair_sizes)
    f.torch_model("pegasus_x", hf("PegasusXModel", "PegasusXConfig", *pair_names, take=("last_hidden_state",), num_global_tokens=4, block_size=4, **bart), *pair, kinds="pt2")
    f.torch_model("prophet_net", hf("ProphetNetForConditionalGeneration", "ProphetNetConfig", *pair_names, take=("logits",), hidden_size=32, vocab_size=99, num_encoder_layers=2, num_decoder_layers=2, num_encoder_attention_heads=4, num_decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64, ngram=2, num_buckets=8, relative_max_distance=16), *pair, kinds="onnx")
    f.torch_model("t5gemma", hf("T5GemmaForConditionalGeneration", "T5GemmaConfig", *pair_names, take=("logits",), encoder=dict(num_key_value_heads=2, head_dim=8, sliding_window=8, **f.SMALL), decoder=dict(num_key_value_heads=2, head_dim=8, sliding_window=8, **f.SMALL), vocab_size=99), *pair, kinds="onnx", **pair_sizes)


def pictures(f):
    hf, pics = f.transformer, f.PICTURES
    batch = dict(dynamic=({0: "batch"},), sizes=({"batch": 3},))
    stages = lazily("ResNetConfig", embedding_size=8, hidden_sizes=[8, 12, 16, 24], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage1", "stage2", "stage3", "stage4"])
    upper = lazily("ResNetConfig", embedding_size=8, hidden_sizes=[8, 12, 16, 24], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage2", "stage3", "stage4"])
    beit = lazily("BeitConfig", hidden_size=32, num_hidden_layers=4, num_attention_heads=4, intermediate_size=64, image_size=64, patch_size=16, out_features=["stage1", "stage2", "stage3", "stage4"], reshape_hidden_states=False, use_relative_position_bias=True)
    f.torch_model("mask2former", hf("Mask2FormerForUniversalSegmentation", "Mask2FormerConfig", "pixel_values", take=("class_queries_logits", "masks_queries_logits"), backbone_config=stages, feature_size=32, mask_feature_size=32, hidden_dim=32, encoder_feedforward_dim=64, encoder_layers=1, decoder_layers=3, num_attention_heads=4, dim_feedforward=64, num_queries=7, num_labels=4), f.image(1, 3, 64, 64), kinds="onnx")
    f.torch_model("rf_detr", hf("RfDetrForObjectDetection", "RfDetrConfig", "pixel_values", take=("logits", "pred_boxes"), backbone_config=lazily("RfDetrDinov2Config", hidden_size=32, num_hidden_layers=4, num_attention_heads=4, image_size=64, patch_size=8, num_windows=2, out_features=["stage2", "stage4"]), d_model=32, decoder_ffn_dim=64, decoder_layers=2, decoder_self_attention_heads=4, decoder_cross_attention_heads=4, num_queries=9, decoder_n_points=2, group_detr=2, num_labels=4), f.image(1, 3, 64, 64), kinds="pt2 onnx")
    f.torch_model("lw_detr", hf("LwDetrForObjectDetection", "LwDetrConfig", "pixel_values", take=("logits", "pred_boxes"), backbone_config=lazily("LwDetrViTConfig", hidden_size=32, num_hidden_layers=3, num_attention_heads=4, image_size=64, pretrain_image_size=64, patch_size=8, num_windows=4, window_block_indices=[0, 2], out_indices=[1, 3]), projector_scale_factors=[1.0], d_model=32, decoder_ffn_dim=64, decoder_layers=2, decoder_self_attention_heads=4, decoder_cross_attention_heads=4, num_queries=9, decoder_n_points=2, group_detr=2, num_labels=4), f.image(1, 3, 64, 64), kinds="onnx")
    f.torch_model("detr", hf("DetrForObjectDetection", "DetrConfig", "pixel_values", take=("logits", "pred_boxes"), backbone_config=lazily("ResNetConfig", embedding_size=8, hidden_sizes=[8, 12, 16, 24], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage4"]), **f.DETECTION), f.image(2, 3, 64, 64), kinds="onnx")
    f.torch_model("grounding_dino", hf("GroundingDinoForObjectDetection", "GroundingDinoConfig", "pixel_values", "input_ids", "attention_mask", "token_type_ids", take=("logits", "pred_boxes"), backbone_config=upper, text_config=lazily("BertConfig", **f.SMALL), d_model=32, num_queries=9, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_feature_levels=3, max_text_len=16, encoder_n_points=2, decoder_n_points=2), f.image(1, 3, 64, 64), f.tokens(1, 6), f.ones(1, 6), f.choice(1, 6, below=1), kinds="pt2")
    f.torch_model("zoe_depth", hf("ZoeDepthForDepthEstimation", "ZoeDepthConfig", "pixel_values", take=("predicted_depth",), backbone_config=beit, neck_hidden_sizes=[8, 12, 16, 24], fusion_hidden_size=16, bottleneck_features=16, num_relative_features=8, num_attractors=[4, 2, 2, 1], bin_embedding_dim=8, bin_configurations=[{"n_bins": 8, "min_depth": 0.001, "max_depth": 10.0, "name": "nyu"}]), f.image(1, 3, 64, 64), kinds="pt2")
    f.torch_model("glpn", hf("GLPNForDepthEstimation", "GLPNConfig", "pixel_values", take=("predicted_depth",), hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 4], decoder_hidden_size=16), f.image(2, 3, 64, 64), kinds="onnx", **batch)
    f.torch_model("uper_net", hf("UperNetForSemanticSegmentation", "UperNetConfig", "pixel_values", take=("logits",), backbone_config=stages, hidden_size=16, auxiliary_in_channels=16, auxiliary_channels=8, num_labels=4), f.image(2, 3, 64, 64), kinds="onnx")
    f.torch_model("vit_matte", hf("VitMatteForImageMatting", "VitMatteConfig", "pixel_values", take=("alphas",), backbone_config=lazily("VitDetConfig", hidden_size=32, num_hidden_layers=2, num_attention_heads=4, image_size=64, pretrain_image_size=64, patch_size=16, num_channels=4, window_size=2, window_block_indices=[0], use_relative_position_embeddings=True, out_features=["stage2"]), hidden_size=32, convstream_hidden_sizes=[8, 12, 16], fusion_hidden_sizes=[16, 12, 8, 8]), f.image(1, 4, 64, 64), kinds="onnx")
    f.torch_model("vjepa2", hf("VJEPA2Model", "VJEPA2Config", "pixel_values_videos", take=("last_hidden_state",), call=dict(skip_predictor=True), patch_size=8, crop_size=32, frames_per_clip=4, hidden_size=48, num_hidden_layers=2, num_attention_heads=4, pred_hidden_size=48, pred_num_hidden_layers=1, pred_num_attention_heads=4), f.image(1, 4, 3, 32, 32), kinds="pt2")
    f.torch_model("sam2_vision", hf("Sam2VisionModel", "Sam2VisionConfig", "pixel_values", take=("last_hidden_state",), backbone_config=lazily("Sam2HieraDetConfig", hidden_size=16, num_attention_heads=1, image_size=[64, 64], window_positional_embedding_background_size=[4, 4], blocks_per_stage=[1, 1, 2, 1], embed_dim_per_stage=[16, 32, 64, 128], num_attention_heads_per_stage=[1, 2, 4, 8], window_size_per_stage=[4, 2, 4, 2], global_attention_blocks=[3]), backbone_channel_list=[128, 64, 32, 16], backbone_feature_sizes=[[16, 16], [8, 8], [4, 4]], fpn_hidden_size=16), f.image(1, 3, 64, 64), kinds="onnx")
    f.torch_model("mobilevit_v2", hf("MobileViTV2ForSemanticSegmentation", "MobileViTV2Config", "pixel_values", take=("logits",), image_size=64, width_multiplier=0.25, aspp_out_channels=16, n_attn_blocks=[1, 1, 1], num_labels=4), f.image(2, 3, 64, 64), kinds="pt2")
    f.torch_model("text_net", hf("TextNetForImageClassification", "TextNetConfig", "pixel_values", stem_out_channels=8, hidden_sizes=[8, 8, 12, 16, 24], num_labels=4), f.image(2, 3, 64, 64), kinds="onnx", **batch)
    f.torch_model("hiera", hf("HieraModel", "HieraConfig", "pixel_values", take=("last_hidden_state", "pooler_output"), embed_dim=16, image_size=[64, 64], depths=[1, 1, 1, 1], num_heads=[1, 2, 2, 4], masked_unit_size=[8, 8]), f.image(1, 3, 64, 64), kinds="onnx")
    f.torch_model("focal_net", hf("FocalNetForImageClassification", "FocalNetConfig", "pixel_values", image_size=64, embed_dim=16, depths=[1, 1, 1, 1], num_labels=4), f.image(2, 3, 64, 64), kinds="pt2", **batch)
    f.torch_model("dinov3_convnext", hf("DINOv3ConvNextModel", "DINOv3ConvNextConfig", "pixel_values", hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1]), f.image(2, 3, 64, 64), kinds="pt2", **batch)
    f.torch_model("paddle_ocr_detection", hf("PPOCRV5MobileDetForObjectDetection", "PPOCRV5MobileDetConfig", "pixel_values"), f.image(1, 3, 64, 64), kinds="onnx", dynamic=({2: "height", 3: "width"},), sizes=({"height": 96, "width": 64},))
    f.torch_model("clip_seg", hf("CLIPSegForImageSegmentation", "CLIPSegConfig", "input_ids", "pixel_values", "attention_mask", take=("logits",), text_config=dict(f.SMALL, eos_token_id=2), vision_config=dict(pics, num_hidden_layers=3), projection_dim=32, extract_layers=[0, 1, 2], reduce_dim=16, decoder_num_attention_heads=2, decoder_intermediate_size=32), f.tokens(2, 8), f.image(2, 3, 32, 32), f.ones(2, 8), kinds="onnx")
    f.torch_model("blip", hf("BlipForImageTextRetrieval", "BlipConfig", "input_ids", "pixel_values", "attention_mask", take=("itm_score",), text_config=dict(f.SMALL, encoder_hidden_size=32), vision_config=pics, image_text_hidden_size=16, projection_dim=32), f.tokens(2, 8), f.image(2, 3, 32, 32), f.ones(2, 8), kinds="pt2")
    f.torch_model("florence2_vision", hf("Florence2VisionBackbone", "Florence2VisionConfig", "hidden_states", depths=[1, 1, 1, 1], embed_dim=[8, 16, 24, 32], num_heads=[1, 2, 2, 4], num_groups=[1, 2, 2, 4], window_size=4, projection_dim=32), f.image(1, 3, 64, 64), kinds="onnx")
    f.torch_model("trocr", hf("TrOCRForCausalLM", "TrOCRConfig", "input_ids", "attention_mask", take=("logits",), vocab_size=99, d_model=32, decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=64, max_position_embeddings=64), *f.TEXT, kinds="pt2", dynamic=f.TEXT_SIZES, sizes=f.OTHER)
    f.torch_model("swin3d", lambda: importlib.import_module("torchvision").models.video.swin3d_t(weights=None, num_classes=5), f.image(1, 3, 4, 64, 64), kinds="onnx", packages="torch torchvision")
    for name, kinds, options, size in (
            ("efficientvit_m0", "onnx", {}, 224), ("inception_next_atto", "pt2", {}, 64), ("caformer_s18", "onnx", {}, 64), ("focalnet_tiny_srf", "onnx", {}, 64), ("mvitv2_tiny", "pt2", {"img_size": 64}, 64),
            ("pit_ti_224", "onnx", {}, 224), ("tnt_s_patch16_224", "pt2", {"img_size": 64}, 64), ("visformer_tiny", "onnx", {"img_size": 64}, 64), ("coat_lite_tiny", "pt2", {"img_size": 64}, 64), ("gmlp_s16_224", "onnx", {}, 224),
            ("halonet26t", "pt2", {}, 256), ("res2net50_14w_8s", "onnx", {}, 64), ("resnest14d", "pt2", {}, 64), ("cait_xxs24_224", "onnx", {"img_size": 64, "depth": 2}, 64), ("nest_tiny", "pt2", {"img_size": 64}, 64),
            ("convmixer_768_32", "onnx", {}, 64), ("mobileone_s0", "pt2", {}, 64), ("mixnet_s", "onnx", {}, 64), ("ghostnetv3_050", "pt2", {}, 64), ("vit_small_patch16_dinov3", "onnx", {"img_size": 64, "depth": 2}, 64), ("vitamin_small_224", "pt2", {"img_size": 64}, 64), ("pnasnet5large", "onnx", {}, 64)):
        f.torch_model("timm_" + name, f.timm_model(name, num_classes=10, **options), f.image(2, 3, size, size), kinds=kinds, packages=f.TIMM, **batch)


def sounds(f):
    hf, audio = f.transformer, f.AUDIO
    f.torch_model("unispeech_sat", hf("UniSpeechSatForXVector", "UniSpeechSatConfig", "input_values", take=("logits", "embeddings"), tdnn_dim=(16, 16, 16, 16, 32), xvector_output_dim=16, **audio), f.image(1, 4000), kinds="onnx")
    f.torch_model("seamless_speech", hf("SeamlessM4Tv2ForSpeechToText", "SeamlessM4Tv2Config", "input_features", "decoder_input_ids", take=("logits",), vocab_size=99, hidden_size=32, encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=64, decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=64, speech_encoder_layers=2, speech_encoder_attention_heads=4, speech_encoder_intermediate_size=64, feature_projection_input_dim=16, conv_depthwise_kernel_size=5, speech_encoder_chunk_size=20, adaptor_kernel_size=4, adaptor_stride=4, max_position_embeddings=64, pad_token_id=0), f.image(1, 24, 16), f.tokens(1, 5), kinds="pt2")
    f.torch_model("univ_net", hf("UnivNetModel", "UnivNetConfig", "input_features", "noise_sequence", model_in_channels=8, model_hidden_channels=8, num_mel_bins=8, kernel_predictor_hidden_channels=8), f.image(1, 10, 8), f.image(1, 10, 8), kinds="onnx")
    f.torch_model("times_fm", hf("TimesFmModelForPrediction", "TimesFmConfig", "past_values", "freq", take=("mean_predictions",), patch_length=8, context_length=32, horizon_length=8, freq_size=3, num_hidden_layers=2, hidden_size=32, intermediate_size=32, head_dim=8, num_attention_heads=4), f.image(2, 32), f.values([[0], [1]]), kinds="pt2")
    f.torch_model("lasr", hf("LasrForCTC", "LasrCTCConfig", "input_features", take=("logits",), vocab_size=30, encoder_config=dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=4, intermediate_size=64, conv_kernel_size=8, subsampling_conv_channels=16, num_mel_bins=16)), f.image(1, 48, 16), kinds="onnx")
    f.torch_model("music_gen_decoder", hf("MusicgenForCausalLM", "MusicgenDecoderConfig", "input_ids", take=("logits",), vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=64, num_codebooks=2, max_position_embeddings=64, audio_channels=1, tie_word_embeddings=False), f.tokens(4, 7, below=60), kinds="pt2")
    f.torch_model("x_codec", hf("DacModel", "DacConfig", "input_values", take=("audio_codes",), encoder_hidden_size=8, downsampling_ratios=[2, 4], decoder_hidden_size=32, n_codebooks=3, codebook_size=16, codebook_dim=4), f.image(1, 1, 256), kinds="pt2")


# ---- archives with quantized operators, by the quantizers of torchao


def quantized(f):
    def rewritten(name, how, make, *inputs, dynamic=None, tolerance=6e-2):
        """how changes the model, or gives the one to export."""
        def made():
            import torch
            torch.manual_seed(1)
            model = make()(torch) if callable(make) else make
            x = tuple(f.sample(torch, w, 3 + k) for k, w in enumerate(inputs))
            return how(torch, model.eval(), x) or model
        f.torch_model(name, made, *inputs, kinds="pt2", packages="torch torchao", dynamic=dynamic, tolerance=tolerance)

    def static(torch, model, x):
        from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
        from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import X86InductorQuantizer, get_default_x86_inductor_quantization_config
        from torchao.quantization import pt2e
        quantizer = X86InductorQuantizer().set_global(get_default_x86_inductor_quantization_config())
        prepared = prepare_pt2e(torch.export.export(model, x).module(), quantizer)
        with torch.no_grad():
            prepared(*x)
        converted = convert_pt2e(prepared)
        pt2e.move_exported_model_to_eval(converted)
        converted.eval = lambda: converted
        return converted

    def weights(kind, **options):
        def how(torch, model, x):
            import torchao.quantization as q
            q.quantize_(model, getattr(q, kind)(**options))
        return how

    rewritten("quantized_static", static, lambda: lambda torch: f.picture_source(torch)[0], f.image(2, 3, 24, 24))
    rewritten("quantized_int8_weights", weights("Int8WeightOnlyConfig"), lambda: lambda torch: f.text_source(torch)[0], f.tokens(2, 12))
    rewritten("quantized_int8_dynamic", weights("Int8DynamicActivationInt8WeightConfig"), lambda: lambda torch: f.text_source(torch)[0], f.tokens(2, 12))


# ---- Keras


def keras_networks(f):
    def unet(keras):
        k = keras.layers
        i = keras.Input((None, None, 3), name="picture")
        x, kept = i, []
        for c in (8, 12):
            x = k.Activation("relu")(k.BatchNormalization()(k.SeparableConv2D(c, 3, padding="same")(x)))
            kept.append(x)
            x = k.MaxPooling2D(3, strides=2, padding="same")(x)
        for c in (12, 8):
            x = k.UpSampling2D(2)(k.BatchNormalization()(k.Conv2DTranspose(c, 3, padding="same", activation="relu")(x)))
            x = k.Concatenate()([x, kept.pop()])
        return keras.Model(i, k.Conv2D(3, 3, activation="softmax", padding="same")(x))

    def text_block(keras, k, x, heads=2, width=16):
        a = k.MultiHeadAttention(heads, 8)(x, x)
        x = k.LayerNormalization(epsilon=1e-6)(x + k.Dropout(0.1)(a))
        h = k.Dense(width)(k.Dense(32, activation="gelu")(x))
        return k.LayerNormalization(epsilon=1e-6)(x + h)

    def text_class(keras):
        k, ops = keras.layers, keras.ops
        i = keras.Input((None,), dtype="int32", name="tokens")

        class Positions(k.Layer):
            def __init__(self):
                super().__init__()
                self.table = k.Embedding(64, 16)

            def call(self, x):
                return x + self.table(ops.arange(ops.shape(x)[1]))
        x = Positions()(k.Embedding(50, 16)(i))
        for _ in range(2):
            x = text_block(keras, k, x)
        return keras.Model(i, k.Dense(3, activation="softmax")(k.GlobalAveragePooling1D()(x)))

    def vision_transformer(keras):
        k, ops = keras.layers, keras.ops
        i = keras.Input((32, 32, 3), name="picture")

        class Patches(k.Layer):
            def call(self, x):
                p = ops.image.extract_patches(x, size=8)
                return ops.reshape(p, (ops.shape(x)[0], 16, 192))
        x = k.Dense(16)(Patches()(i))
        for _ in range(2):
            x = text_block(keras, k, x)
        return keras.Model(i, k.Dense(4)(k.Flatten()(x)))

    def captcha(keras):
        k = keras.layers
        i = keras.Input((64, 24, 1), name="picture")
        x = k.MaxPooling2D(2)(k.Conv2D(8, 3, activation="relu", padding="same")(i))
        x = k.MaxPooling2D(2)(k.Conv2D(12, 3, activation="relu", padding="same")(x))
        x = k.Dense(16, activation="relu")(k.Reshape((16, 72))(x))
        x = k.Bidirectional(k.LSTM(8, return_sequences=True, dropout=0.2))(x)
        x = k.Bidirectional(k.LSTM(6, return_sequences=True))(x)
        return keras.Model(i, k.Dense(11, activation="softmax")(x))

    def translation(keras):
        k = keras.layers
        i, j = keras.Input((None,), dtype="int32", name="source"), keras.Input((None,), dtype="int32", name="target")
        seen, h, c = k.LSTM(12, return_sequences=True, return_state=True)(k.Embedding(40, 8, mask_zero=True)(i))
        x = k.LSTM(12, return_sequences=True)(k.Embedding(40, 8)(j), initial_state=[h, c])
        x = k.Concatenate()([x, k.Attention()([x, seen])])
        return keras.Model([i, j], k.TimeDistributed(k.Dense(40, activation="softmax"))(x))

    def wave_net(keras):
        k = keras.layers
        i = keras.Input((None, 4), name="series")
        x = k.Conv1D(8, 1)(i)
        sums = []
        for d in (1, 2, 4):
            t = k.Conv1D(8, 2, padding="causal", dilation_rate=d, activation="tanh")(x)
            g = k.Conv1D(8, 2, padding="causal", dilation_rate=d, activation="sigmoid")(x)
            s = k.Conv1D(8, 1)(k.Multiply()([t, g]))
            x = k.Add()([x, s])
            sums.append(s)
        return keras.Model(i, k.Dense(1)(k.Conv1D(8, 1, activation="relu")(k.ReLU()(k.Add()(sums)))))

    def recommender(keras):
        k, ops = keras.layers, keras.ops
        i, j, n = keras.Input((1,), dtype="int32", name="user"), keras.Input((4,), dtype="int32", name="items"), keras.Input((5,), name="numbers")
        u, v = k.Flatten()(k.Embedding(30, 8)(i)), k.GlobalMaxPooling1D()(k.Embedding(60, 8)(j))
        x = k.Concatenate()([u, v, k.BatchNormalization()(n)])
        crossed = x
        for _ in range(2):
            crossed = x * k.Dense(21)(crossed) + crossed
        deep = k.LeakyReLU()(k.Dense(16)(x))
        near = k.Dot(1, normalize=True)([u, v])
        return keras.Model([i, j, n], [k.Dense(1, activation="sigmoid")(k.Concatenate()([crossed, deep, near])), ops.top_k(k.Dense(9)(deep), 3)[0]])

    def generator(keras):
        k = keras.layers
        i = keras.Input((12,), name="noise")
        x = k.Reshape((4, 4, 8))(k.Dense(128, use_bias=False)(i))
        x = k.LeakyReLU(0.2)(k.BatchNormalization()(k.Conv2DTranspose(8, 4, strides=2, padding="same", use_bias=False)(x)))
        x = k.LeakyReLU(0.2)(k.BatchNormalization()(k.Conv2DTranspose(6, 5, strides=2, padding="same")(x)))
        return keras.Model(i, k.Conv2D(3, 3, padding="same", activation="tanh")(x))

    def residual_gate(keras):
        k = keras.layers
        i = keras.Input((32, 32, 3), name="picture")
        x = k.Conv2D(8, 3, 2, padding="same", use_bias=False)(k.ZeroPadding2D(1)(i))
        x = k.Activation("swish")(k.BatchNormalization()(x))
        y = k.DepthwiseConv2D(5, padding="same", use_bias=False)(k.Conv2D(16, 1, activation="silu")(x))
        s = k.Conv2D(16, 1, activation="sigmoid")(k.Conv2D(4, 1, activation="silu")(k.Reshape((1, 1, 16))(k.GlobalAveragePooling2D()(y))))
        x = k.Add()([x, k.Conv2D(8, 1)(k.Multiply()([y, s]))])
        x = k.LayerNormalization()(k.Lambda(lambda t: t / 2.0, output_shape=lambda s: s)(x))
        return keras.Model(i, k.Dense(4, activation="softmax")(k.GlobalMaxPooling2D()(x)))

    def cells(keras):
        k, ops = keras.layers, keras.ops
        i = keras.Input((6, 12, 12, 1), name="frames")
        x = k.ConvLSTM2D(4, 3, padding="same", return_sequences=True)(i)
        x = k.ConvLSTM2D(3, 3, padding="same", return_sequences=True, go_backwards=True)(k.BatchNormalization()(x))
        return keras.Model(i, k.Conv3D(1, 3, activation="sigmoid", padding="same")(x))

    def points(keras):
        k, ops = keras.layers, keras.ops
        i = keras.Input((20, 3), name="points")
        x = k.Activation("relu")(k.BatchNormalization(momentum=0.0)(k.Conv1D(8, 1)(i)))
        t = k.Reshape((3, 3))(k.Dense(9)(k.GlobalMaxPooling1D()(x)))
        x = k.Conv1D(12, 1, activation="relu")(k.Dot((2, 1))([i, t]))
        near = ops.sum((ops.expand_dims(i, 2) - ops.expand_dims(i, 1)) ** 2, -1)
        index = ops.argsort(near, -1)[:, :, :4]
        around = ops.max(ops.take_along_axis(ops.expand_dims(x, 1), ops.expand_dims(index, -1), axis=2), 2)
        return keras.Model(i, k.Dense(4)(k.GlobalMaxPooling1D()(around)))

    nets = (("unet", unet, [(1, 32, 48, 3)], {}), ("text_class", text_class, [(2, None)], dict(ints=(50,), sizes=(12, 7))), ("vision_transformer", vision_transformer, [(2, 32, 32, 3)], {}), ("captcha", captcha, [(2, 64, 24, 1)], {}),
            ("translation", translation, [(2, None), (2, None)], dict(ints=(40, 40), sizes=(6, 9))), ("wave_net", wave_net, [(2, None, 4)], dict(sizes=(16, 9))), ("recommender", recommender, [(3, 1), (3, 4), (3, 5)], dict(ints=(30, 60, 0))),
            ("generator", generator, [(2, 12)], {}), ("residual_gate", residual_gate, [(2, 32, 32, 3)], {}), ("frames", cells, [(1, 6, 12, 12, 1)], {}), ("points", points, [(2, 20, 3)], {}))
    for name, build, shapes, options in nets:
        f.keras_model("keras_" + name, build, *shapes, forms="saved lite onnx" + (" lite_int8" if name in ("residual_gate", "generator", "unet") else ""), **options)

    def hub(name, model, *shapes, forms="saved", ints=(), call=None, **options):
        """A model of keras_hub; call: which of its inputs, by name."""
        def build(keras):
            import keras_hub
            made = getattr(keras_hub.models, model)(**{k: v(keras_hub) if callable(v) else v for k, v in options.items()})
            return made
        f.keras_model("hub_" + name, build, *shapes, forms=forms, ints=ints, packages="tensorflow keras keras_hub")

    text = dict(vocabulary_size=99, num_layers=2, num_heads=4, hidden_dim=32, intermediate_dim=64, max_sequence_length=32)
    hub("bert", "BertBackbone", (2, 12), (2, 12), (2, 12), ints=(2, 2, 2), forms="saved lite", **text)
    hub("gpt2", "GPT2Backbone", (2, 12), (2, 12), ints=(2, 2), forms="saved lite", **text)
    hub("qwen3", "Qwen3Backbone", (2, 12), (2, 12), ints=(2, 2), vocabulary_size=99, num_layers=2, num_query_heads=4, num_key_value_heads=2, head_dim=8, hidden_dim=32, intermediate_dim=64)
    hub("gemma3", "Gemma3Backbone", (2, 12), (2, 12), ints=(2, 2), vocabulary_size=99, image_size=16, num_layers=2, num_query_heads=4, num_key_value_heads=2, head_dim=8, hidden_dim=32, intermediate_dim=64, query_head_dim_normalize=True, use_query_key_norm=True, sliding_window_size=8, vision_encoder=None)
    hub("mit", "MiTBackbone", (1, 64, 64, 3), forms="saved lite", layerwise_num_layers=[1, 1, 1, 1], num_layers=4, layerwise_depths=[1, 1, 1, 1], layerwise_num_heads=[1, 2, 2, 4], layerwise_sr_ratios=[8, 4, 2, 1], max_drop_path_rate=0.1, image_shape=(64, 64, 3), hidden_dims=[8, 16, 24, 32], layerwise_patch_sizes=[7, 3, 3, 3], layerwise_strides=[4, 2, 2, 2])
    hub("csp_dark_net", "CSPNetBackbone", (1, 64, 64, 3), stem_filters=8, stem_kernel_size=3, stem_strides=1, stackwise_depth=[1, 1, 1], stackwise_strides=[2, 2, 2], stackwise_num_filters=[8, 12, 16], block_type="dark_block", stage_type="dark", image_shape=(64, 64, 3))


def options_of_the_builder(f):
    f.built("llama", "LlamaConfig", "int4", name="llama_blocks_of_16", builder=["int4_block_size=16", "int4_is_symmetric=false"])
    f.built("llama", "LlamaConfig", "int4", name="llama_qdq", builder=["use_qdq=true"])
    f.built("phi3", "Phi3Config", "int4", name="phi3_k_quant", builder=["int4_algo_config=k_quant_mixed"], original_max_position_embeddings=128, max_position_embeddings=128)
    f.built("olmo", "OlmoConfig", "fp32", name="olmo_hidden_states", builder=["include_hidden_states=true"], clip_qkv=4.0)
    f.built("qwen2", "Qwen2Config", "fp32", name="qwen2_no_head", builder=["exclude_lm_head=true"])
