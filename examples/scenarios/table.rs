//! The outcomes as a [`Table`].

use super::{bodies::Compared, outcome::Outcome, scenario::Scenario};

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

/// A kind of table, with its columns.
#[derive(Debug)]
pub struct Table<const COLUMNS: usize, Row = Played> {
    /// The lines before and after the table in a page.
    markers: [&'static str; 2],
    heads: [&'static str; COLUMNS],
    cells: fn(&Row) -> [String; COLUMNS],
}

/// The table of the small scenarios.
pub const SCENARIOS: Table<12> = Table {
    markers: ["<!-- scenarios -->\n", "<!-- /scenarios -->"],
    heads: [
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
    ],
    cells: |Played { scenario, outcome, orca }| {
        [
            scenario.name.to_owned(),
            format!("{} of {}", outcome.arrived, outcome.agents),
            touched(outcome.contacts, outcome.deepest_contact),
            touched(outcome.bumps, outcome.deepest_bump),
            format!("{:.2}", outcome.mean_time),
            format!("{:.2}", outcome.longest_time),
            format!("{:.3}", outcome.jitter),
            format!("{:.1}", outcome.seconds),
            of(orca, |orca| orca.arrived.to_string()),
            of(orca, |orca| (orca.contacts + orca.bumps).to_string()),
            of(orca, |orca| format!("{:.2}", orca.longest_time)),
            of(orca, |orca| format!("{:.3}", orca.jitter)),
        ]
    },
};

/// The table of the crowds.
pub const CROWDS: Table<13> = Table {
    markers: ["<!-- crowds -->\n", "<!-- /crowds -->"],
    heads: [
        "crowd",
        "arrived",
        "in time",
        "contacts (deepest)",
        "bumps (deepest)",
        "time, mean",
        "flow",
        "speed",
        "ORCA: arrived",
        "in time",
        "touches (deepest)",
        "flow",
        "speed",
    ],
    cells: |Played { scenario, outcome, orca }| {
        let or_dash = |number: f32| match number {
            0.0 => "–".to_owned(),
            _ => format!("{number:.2}"),
        };
        [
            scenario.name.to_owned(),
            format!("{} of {}", outcome.arrived, outcome.agents),
            outcome.in_time.to_string(),
            touched(outcome.contacts, outcome.deepest_contact),
            touched(outcome.bumps, outcome.deepest_bump),
            or_dash(outcome.mean_time),
            or_dash(outcome.flow),
            or_dash(outcome.speed),
            of(orca, |orca| orca.arrived.to_string()),
            of(orca, |orca| orca.in_time.to_string()),
            of(orca, |orca| {
                let deepest = orca.deepest_contact.max(orca.deepest_bump);
                touched(orca.contacts + orca.bumps, deepest)
            }),
            of(orca, |orca| format!("{:.2}", orca.flow)),
            of(orca, |orca| format!("{:.2}", orca.speed)),
        ]
    },
};

/// The table of scenarios with and without bodies.
pub const BODIES: Table<9, Compared> = Table {
    markers: ["<!-- bodies -->\n", "<!-- /bodies -->"],
    heads: [
        "scenario",
        "arrived",
        "touches (deepest)",
        "time, mean",
        "time, slowest",
        "bodies: arrived",
        "touches (deepest)",
        "time, mean",
        "time, slowest",
    ],
    cells: |Compared { scenario, plain, bodies }| {
        let cells = |outcome: &Outcome| {
            let deepest = outcome.deepest_contact.max(outcome.deepest_bump);
            [
                format!("{} of {}", outcome.arrived, outcome.agents),
                touched(outcome.contacts + outcome.bumps, deepest),
                format!("{:.2}", outcome.mean_time),
                format!("{:.2}", outcome.longest_time),
            ]
        };
        let [a, b, c, d] = cells(plain);
        let [e, f, g, h] = cells(bodies);
        [scenario.name.to_owned(), a, b, c, d, e, f, g, h]
    },
};

fn touched(count: usize, deepest: f32) -> String {
    match count {
        0 => "0".to_owned(),
        _ => format!("{count} ({deepest:.2})"),
    }
}

fn of(orca: &Option<Outcome>, show: fn(&Outcome) -> String) -> String {
    orca.as_ref().map_or_else(|| "–".to_owned(), show)
}

impl<const COLUMNS: usize, Row> Table<COLUMNS, Row> {
    /// In Markdown, with aligned columns, to be read in a terminal too.
    pub fn markdown(&self, played: &[Row]) -> String {
        let rows = played.iter().map(self.cells);
        let rows: Vec<_> = core::iter::once(self.heads.map(str::to_owned)).chain(rows).collect();
        let widths: [usize; COLUMNS] = core::array::from_fn(|i| {
            rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0)
        });
        let line = |row: &[String; COLUMNS]| {
            let cells: Vec<_> =
                row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = widths.map(|width| "-".repeat(width));
        let mut table = line(&rows[0]) + &line(&rule);
        table.extend(rows[1..].iter().map(line));
        table
    }

    /// The page with this text in the place of the old table.
    ///
    /// # Errors
    /// If the page does not have the markers.
    pub fn replace_in(&self, page: &str, table: &str) -> Result<String, String> {
        let [begin, end] = self.markers;
        let (before, rest) =
            page.split_once(begin).ok_or_else(|| format!("there is no line {}", begin.trim()))?;
        let (_, after) =
            rest.split_once(end).ok_or_else(|| format!("there is no {end} after that"))?;
        Ok(format!("{before}{begin}\n{table}\n{end}{after}"))
    }
}
