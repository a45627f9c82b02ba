//! The outcomes as a table.

use super::{outcome::Outcome, scenario::Scenario};

/// A scenario with its outcomes.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// The scenario.
    pub scenario: &'static Scenario,
    /// What steering makes of it.
    pub outcome: Outcome,
    /// What ORCA makes of it, where that can play it.
    pub orca: Option<Outcome>,
}

const HEADS: [&str; 12] = [
    "scenario",
    "arrived",
    "contacts (deepest)",
    "bumps (deepest)",
    "time, mean",
    "time, slowest",
    "jitter",
    "seconds",
    "ORCA: arrived",
    "touches",
    "slowest",
    "jitter",
];

fn cells(Played { scenario, outcome, orca }: &Played) -> [String; HEADS.len()] {
    let touched = |count, deepest: f32| match count {
        0 => "0".to_owned(),
        _ => format!("{count} ({deepest:.2})"),
    };
    let of_orca = |show: fn(&Outcome) -> String| orca.as_ref().map_or_else(|| "–".to_owned(), show);
    [
        scenario.name.to_owned(),
        format!("{} of {}", outcome.arrived, outcome.agents),
        touched(outcome.contacts, outcome.deepest_contact),
        touched(outcome.bumps, outcome.deepest_bump),
        format!("{:.2}", outcome.mean_time),
        format!("{:.2}", outcome.longest_time),
        format!("{:.3}", outcome.jitter),
        format!("{:.1}", outcome.seconds),
        of_orca(|orca| orca.arrived.to_string()),
        of_orca(|orca| (orca.contacts + orca.bumps).to_string()),
        of_orca(|orca| format!("{:.2}", orca.longest_time)),
        of_orca(|orca| format!("{:.3}", orca.jitter)),
    ]
}

/// A Markdown table with aligned columns, to be read in a terminal too.
pub fn markdown(played: &[Played]) -> String {
    let rows = played.iter().map(cells);
    let rows: Vec<_> = core::iter::once(HEADS.map(str::to_owned)).chain(rows).collect();
    let widths: [usize; HEADS.len()] =
        core::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; HEADS.len()]| {
        let cells: Vec<_> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = widths.map(|width| "-".repeat(width));
    let mut table = line(&rows[0]) + &line(&rule);
    table.extend(rows[1..].iter().map(line));
    table
}

/// The lines before and after the table in a page.
const MARKERS: [&str; 2] = ["<!-- scenarios -->\n", "<!-- /scenarios -->"];

/// The page with this table in the place of the old one.
///
/// # Errors
/// If the page does not have the markers.
pub fn replace_in(page: &str, table: &str) -> Result<String, String> {
    let [begin, end] = MARKERS;
    let (before, rest) =
        page.split_once(begin).ok_or_else(|| format!("there is no line {}", begin.trim()))?;
    let (_, after) = rest.split_once(end).ok_or_else(|| format!("there is no {end} after that"))?;
    Ok(format!("{before}{begin}\n{table}\n{end}{after}"))
}
