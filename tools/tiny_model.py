"""Build a tiny, randomly initialised chat model: real tokenizer, real weights, no sense. Nothing is downloaded.

    python tools/tiny_model.py FOLDER

Runs in the environment of the server (``make stack``), which has torch and transformers; this project needs neither.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_SENTENCES = (
    "What brings you here today?",
    "It sounds as if that has been hard for you.",
    "I would like to understand what that was like.",
    "You said that you sleep badly, and that you are worried about your daughter.",
    "Tell me a little more about that, if you would like to.",
)
_TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_ROLES = ["<|system|>", "<|user|>", "<|assistant|>"]
_VOCABULARY = 512


def tokenizer() -> Any:
    """Return a byte-level tokenizer with a chat template, trained on a handful of sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|pad|>", *_ROLES]
    trainer = trainers.BpeTrainer(
        vocab_size=_VOCABULARY, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    made.train_from_iterator(_SENTENCES * 20, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|end|>", pad_token="<|pad|>", chat_template=_TEMPLATE
    )


def build(folder: Path) -> None:
    """Write model and tokenizer into a folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(1)
    words = tokenizer()
    config = LlamaConfig(
        vocab_size=max(len(words), _VOCABULARY),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
        bos_token_id=words.eos_token_id,
    )
    model = LlamaForCausalLM(config)
    # Sampled, or it would say its last token for ever; never a mark of the template nor its end, so that all replies
    # have words.
    marks = [words.eos_token_id, words.pad_token_id, *words.convert_tokens_to_ids(_ROLES)]
    model.generation_config.update(do_sample=True, suppress_tokens=marks, eos_token_id=words.eos_token_id)
    model.save_pretrained(folder)
    words.save_pretrained(folder)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
