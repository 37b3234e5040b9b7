//! What was measured: one row for a client and a model.

use super::Row;

/// Sorted by version. Measured with an empty home folder of 36 characters, in an empty working
/// directory of 36 outside git, with the prompt `hi`. Every version from which a row of the
/// default model is missing between two others was either run and equal to the one before it, or
/// not run.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row(197, "claude-3-5-haiku", 26_576, 24, 80_763, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-3-7-sonnet", 26_578, 24, 80_765, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-fable-5", 10_253, 24, 62_857, 6_368, Some((1_542, 4_518, None, None))),
    Row(197, "claude-fable-5-2", 10_255, 24, 62_857, 6_368, Some((1_542, 4_518, None, None))),
    Row(197, "claude-haiku-4-5", 26_617, 24, 80_763, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-haiku-5", 26_528, 24, 80_743, 6_575, Some((1_749, 4_518, None, None))),
    Row(197, "claude-haiku-5-5", 26_530, 24, 80_743, 6_575, Some((1_749, 4_518, None, None))),
    Row(197, "claude-opus-4-5", 26_610, 24, 80_761, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-opus-4-6", 26_610, 24, 80_761, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-opus-4-7", 26_614, 24, 80_761, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-opus-4-8", 5_867, 24, 62_858, 6_368, Some((1_542, 4_518, None, None))),
    Row(197, "claude-opus-4-8[1m]", 5_884, 24, 62_871, 6_368, Some((1_542, 4_518, None, None))),
    Row(197, "claude-opus-5", 5_780, 24, 62_849, 6_368, Some((1_542, 4_518, None, None))),
    Row(197, "claude-opus-5-5", 5_782, 24, 62_849, 6_368, Some((1_542, 4_518, None, None))),
    Row(197, "claude-sonnet-4-5", 26_618, 24, 80_765, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-sonnet-4-6", 26_617, 24, 80_765, 6_648, Some((1_749, 4_518, None, None))),
    Row(197, "claude-sonnet-5", 26_614, 24, 80_761, 6_575, Some((1_749, 4_518, None, None))),
    Row(197, "claude-sonnet-5-5", 26_616, 24, 80_743, 6_575, Some((1_749, 4_518, None, None))),
    Row(197, "claude-unknown-9", 5_783, 24, 62_849, 6_368, Some((1_542, 4_518, None, None))),
    Row(198, "claude-opus-4-8[1m]", 5_884, 24, 63_658, 7_653, None), Row(199, "claude-opus-4-8[1m]", 5_884, 24, 63_910, 7_653, None), Row(200, "claude-opus-4-8[1m]", 5_884, 24, 63_910, 7_717, None), Row(203, "claude-opus-4-8[1m]", 5_884, 24, 64_570, 7_717, None), Row(207, "claude-opus-4-8[1m]", 5_884, 24, 64_600, 7_717, None), Row(209, "claude-opus-4-8[1m]", 6_243, 24, 64_600, 7_717, None), Row(211, "claude-opus-4-8[1m]", 6_243, 24, 64_728, 7_717, None), Row(214, "claude-opus-4-8[1m]", 6_243, 24, 64_890, 7_717, None), Row(215, "claude-opus-4-8[1m]", 6_243, 24, 64_890, 6_892, None), Row(216, "claude-opus-4-8[1m]", 6_243, 24, 64_408, 6_892, None), Row(217, "claude-opus-4-8[1m]", 6_243, 24, 64_423, 6_892, None), Row(218, "claude-opus-4-8[1m]", 6_243, 24, 64_596, 6_404, None), Row(222, "claude-opus-5[1m]", 9_552, 24, 64_848, 6_269, None), Row(223, "claude-opus-5[1m]", 9_552, 24, 64_848, 6_190, None), Row(227, "claude-opus-5[1m]", 9_545, 24, 65_040, 6_190, None), Row(229, "claude-opus-5[1m]", 9_545, 24, 65_045, 6_190, None), Row(239, "claude-opus-5[1m]", 9_596, 20, 56_546, 6_241, None), Row(243, "claude-opus-5[1m]", 9_596, 20, 57_367, 6_241, None), Row(246, "claude-opus-5[1m]", 9_596, 20, 57_367, 6_696, None), Row(248, "claude-opus-5[1m]", 9_596, 21, 45_887, 6_979, None), Row(265, "claude-opus-5[1m]", 9_591, 21, 45_991, 7_374, None), Row(281, "claude-opus-5-5[1m]", 5_817, 20, 45_715, 8_255, None), Row(284, "claude-opus-5-5[1m]", 5_821, 20, 45_738, 8_255, None), Row(285, "claude-opus-5-5", 5_821, 20, 45_762, 8_706, None), Row(286, "claude-opus-5-5", 5_821, 20, 45_762, 8_956, None), Row(290, "claude-opus-5-5", 5_821, 20, 45_985, 9_573, None), Row(294, "claude-opus-5-5", 5_798, 20, 46_346, 9_573, None), Row(295, "claude-opus-5-5", 5_817, 20, 46_346, 9_592, None), Row(296, "claude-opus-5-5", 5_817, 20, 46_677, 9_592, None), Row(299, "claude-opus-5-5", 5_817, 20, 46_876, 9_592, None), Row(304, "claude-opus-5-5", 5_817, 12, 27_739, 9_470, None), Row(307, "claude-opus-5-5", 5_817, 12, 28_983, 9_470, None), Row(309, "claude-opus-5-5", 5_817, 12, 29_266, 9_470, None), Row(315, "claude-opus-5-5", 5_860, 12, 29_512, 9_622, None), Row(323, "claude-opus-5-5", 5_978, 12, 29_525, 9_711, None), Row(325, "claude-opus-5-5", 5_978, 12, 29_525, 9_720, None), Row(326, "claude-opus-5-5", 5_978, 12, 29_842, 9_720, None), Row(327, "claude-opus-5-5", 5_978, 12, 30_325, 9_720, None), Row(329, "claude-opus-5-5", 7_200, 12, 31_072, 9_798, None), Row(332, "claude-3-5-haiku", 28_427, 25, 86_779, 9_868, Some((1_843, 6_275, Some(778), Some(563)))),
    Row(332, "claude-3-7-sonnet", 28_427, 25, 86_779, 9_871, Some((1_843, 6_275, Some(778), Some(564)))),
    Row(332, "claude-fable-5", 11_278, 12, 31_058, 9_849, Some((1_636, 6_326, Some(905), Some(561)))),
    Row(332, "claude-fable-5-2", 11_724, 12, 31_058, 9_801, Some((1_636, 6_275, Some(906), Some(563)))),
    Row(332, "claude-haiku-4-5", 28_427, 12, 47_064, 10_349, Some((1_843, 6_275, Some(778), Some(563)))),
    Row(332, "claude-haiku-5", 6_933, 12, 31_058, 9_714, Some((1_636, 6_275, Some(824), Some(558)))),
    Row(332, "claude-haiku-5-5", 9_776, 12, 31_058, 9_852, Some((1_636, 6_326, Some(906), Some(563)))),
    Row(332, "claude-opus-4-5", 28_427, 12, 47_064, 10_341, Some((1_843, 6_275, Some(778), Some(562)))),
    Row(332, "claude-opus-4-6", 28_427, 12, 47_064, 10_341, Some((1_843, 6_275, Some(778), Some(562)))),
    Row(332, "claude-opus-4-7", 28_427, 12, 47_064, 10_345, Some((1_843, 6_275, Some(778), Some(562)))),
    Row(332, "claude-opus-4-8", 6_926, 12, 31_045, 9_852, Some((1_636, 6_326, Some(907), Some(562)))),
    Row(332, "claude-opus-5", 10_364, 12, 31_058, 9_707, Some((1_501, 6_326, Some(899), Some(560)))),
    Row(332, "claude-opus-5-5", 7_200, 12, 31_058, 9_798, Some((1_636, 6_275, Some(904), Some(562)))),
    Row(332, "claude-sonnet-4-5", 28_427, 12, 47_064, 10_351, Some((1_843, 6_275, Some(778), Some(564)))),
    Row(332, "claude-sonnet-4-6", 28_427, 12, 47_064, 10_350, Some((1_843, 6_275, Some(778), Some(564)))),
    Row(332, "claude-sonnet-5", 28_325, 12, 47_064, 10_318, Some((1_862, 6_363, Some(944), Some(562)))),
    Row(332, "claude-sonnet-5-5", 6_933, 12, 31_058, 9_804, Some((1_636, 6_275, Some(908), Some(564)))),
    Row(332, "claude-unknown-9", 6_933, 12, 31_058, 9_716, Some((1_636, 6_275, Some(826), Some(558)))),
];
