//! With the feature `libm` every platform and instruction set comes to these numbers. `tools/determinism-aarch64` and
//! `tools/determinism-without-avx2` run this on others.
//!
//! They change whenever steering does. Whoever means to change it puts in what the failing test prints, and runs both tools.

use core::fmt::Write;

use crate::scenes::{self, SCENES};

const PRINTS: [(&str, u64); 29] = [
    ("Seek", 0x6B78_1CC0_96F5_69CB),
    ("Flee", 0xB3FE_046D_2A6E_6119),
    ("Arrive", 0xC662_A94C_30B3_53D7),
    ("Pursue", 0x5E58_AF19_E464_AD18),
    ("Evade", 0x74DD_72EB_C02D_3F7A),
    ("OffsetPursue", 0x896D_BAE5_8A41_DAC4),
    ("Wander", 0x1A92_845C_82D1_A854),
    ("MatchVelocity", 0x3BF5_ED33_5EE2_F692),
    ("AvoidObstacles", 0x6658_CA09_836A_B8F9),
    ("AvoidWalls", 0xDF46_A4B7_45D5_C7F3),
    ("AvoidAgents", 0x69B9_453C_30F8_3B94),
    ("PathFollow", 0x305D_0373_D666_9F77),
    ("Flock", 0x4E02_B5CF_341C_E63D),
    ("Face", 0x6251_0626_89B7_7FC7),
    ("Align", 0x148E_F928_097E_1110),
    ("LookWhereYouGo", 0xC03B_B6A1_CDB2_6F30),
    ("flock in 2D", 0xE292_921C_A5CB_6394),
    ("flock in 3D", 0xCDA9_EB1F_1E02_F3AA),
    ("flock of a kind", 0x8604_5016_209F_6AB2),
    ("world that wraps", 0x3AF7_D41F_6046_EB13),
    ("bounds of their own", 0x43AE_0E4A_642E_37B2),
    ("weighted sum", 0x999F_5BB2_88B3_59BC),
    ("prioritized", 0x08CC_576F_82A6_4592),
    ("first active", 0xA5CE_3569_B26C_1564),
    ("dithered", 0x328C_C11F_CA52_A1B0),
    ("seldom thinkers", 0xD677_3CAE_EEAE_CBAD),
    ("all planes", 0xD799_8192_CA09_C9E1),
    ("families", 0xE6A3_B4B7_3582_659D),
    ("traffic", 0xF502_C86E_017A_2997),
];

#[test]
fn every_platform_comes_to_the_same_numbers() {
    let actual = || SCENES.iter().map(|scene| scene.name).zip(scenes::prints().iter().copied());
    let different = actual().filter(|scene| !PRINTS.contains(scene)).count();
    let is_same = different == 0 && PRINTS.len() == SCENES.len();
    let table = actual().fold(String::new(), |mut table, (name, print)| {
        let grouped = format!("{print:016X}");
        let grouped = [&grouped[..4], &grouped[4..8], &grouped[8..12], &grouped[12..]].join("_");
        let mark = if PRINTS.contains(&(name, print)) { "" } else { " // differs" };
        writeln!(table, "    (\"{name}\", 0x{grouped}),{mark}").expect("room");
        table
    });
    assert!(is_same, "{different} scenes differ:\n{table}");
}
