//! Sizes of published language models.

use crate::spec::Parameter;

/// A transformer as its paper describes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelSize {
    name: &'static str,
    pub(super) layers: u64,
    /// Numbers of a token between two layers.
    pub(super) hidden: u64,
    /// Numbers that one layer keeps of a token, keys and values together.
    pub(super) cached: u64,
    /// All parameters, and those that a token meets.
    pub(super) parameters: f64,
    pub(super) active: f64,
    /// Experts of a layer, and those that a token goes to; 0: none.
    pub(super) experts: u32,
    pub(super) chosen: u32,
}

const fn dense(name: &'static str, parameters: f64, sizes: [u64; 3]) -> ModelSize {
    let [layers, hidden, cached] = sizes;
    ModelSize {
        name,
        layers,
        hidden,
        cached,
        parameters,
        active: parameters,
        experts: 0,
        chosen: 0,
    }
}

const fn sparse(model: ModelSize, active: f64, experts: u32, chosen: u32) -> ModelSize {
    ModelSize {
        active,
        experts,
        chosen,
        ..model
    }
}

/// Bytes of a number: half precision.
pub(super) const NUMBER: u64 = 2;

/// Keys and values of 8 heads of 128 numbers; GPT-3 has 96 of them, DeepSeek-V3 keeps 512 numbers
/// from which both follow, and 64 of the position.
const MODELS: [ModelSize; 6] = [
    dense("llama-3-8b", 8e9, [32, 4_096, 2 * 8 * 128]),
    dense("llama-3-70b", 70e9, [80, 8_192, 2 * 8 * 128]),
    dense("llama-3-405b", 405e9, [126, 16_384, 2 * 8 * 128]),
    dense("gpt-3-175b", 175e9, [96, 12_288, 2 * 96 * 128]),
    sparse(
        dense("mixtral-8x7b", 47e9, [32, 4_096, 2 * 8 * 128]),
        13e9,
        8,
        2,
    ),
    sparse(
        dense("deepseek-v3", 671e9, [61, 7_168, 512 + 64]),
        37e9,
        256,
        8,
    ),
];

pub(super) const SOURCE: &str = "Grattafiori et al. 2024 (Llama 3, table 3); Brown et al. 2020 (GPT-3, table \
                      2.1); Jiang et al. 2024 (Mixtral, table 1); DeepSeek-AI 2024 (DeepSeek-V3, \
                      section 4.2)";

/// Names of the models, behind the one of none.
pub(super) const NAMES: [&str; 1 + MODELS.len()] = {
    let mut names = ["none"; 1 + MODELS.len()];
    let mut index = 0;
    while index < MODELS.len() {
        names[index + 1] = MODELS[index].name;
        index += 1;
    }
    names
};

/// `model`, one of those here.
pub(super) const fn model_row(default: &'static str, meaning: &'static str) -> Parameter {
    Parameter::choice("model", NAMES.split_at(1).1, default, meaning).source(SOURCE)
}

/// The model of this name; nothing for none.
pub(super) fn model(name: &str) -> Option<ModelSize> {
    MODELS.into_iter().find(|model| model.name == name)
}
