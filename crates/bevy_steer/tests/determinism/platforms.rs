//! With the feature `libm` every platform and instruction set comes to these numbers. `tools/determinism-aarch64` and
//! `tools/determinism-x86-64` run this on others.
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
    ("OffsetPursue", 0xD4BB_630C_385C_9186),
    ("Wander", 0x1A92_845C_82D1_A854),
    ("MatchVelocity", 0x3BF5_ED33_5EE2_F692),
    ("AvoidObstacles", 0x6658_CA09_836A_B8F9),
    ("AvoidWalls", 0xCB7F_1B5D_555B_8630),
    ("AvoidAgents", 0x6B8A_072F_1A6B_6C72),
    ("PathFollow", 0xE8F6_FB42_1999_34D4),
    ("Flock", 0x9A5B_9B13_4F81_1388),
    ("Face", 0x6251_0626_89B7_7FC7),
    ("Align", 0x148E_F928_097E_1110),
    ("LookWhereYouGo", 0xC03B_B6A1_CDB2_6F30),
    ("flock in 2D", 0xC207_FC20_4EA1_66AF),
    ("flock in 3D", 0x558A_19B1_0F1B_72C2),
    ("flock of a kind", 0x3DC9_E5EA_6D9B_04A0),
    ("world that wraps", 0x3C67_5E12_0D83_72EB),
    ("bounds of their own", 0xFBDD_F217_84DA_C827),
    ("weighted sum", 0xB17C_0578_F1B8_68B6),
    ("prioritized", 0xC4C3_2C0C_9B42_3AAB),
    ("first active", 0xFFE7_C371_FC0F_1730),
    ("dithered", 0xC893_F508_FC85_74F4),
    ("seldom thinkers", 0x0853_C5D0_2EEC_1DD8),
    ("all planes", 0xC705_4EBA_CF7C_0614),
    ("families", 0xCBBA_0BC8_D10D_8898),
    ("traffic", 0xD0B2_F9A0_41F8_5BE8),
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
