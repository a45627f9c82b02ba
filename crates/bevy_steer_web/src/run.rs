//! Runs what a [`Request`] asks for.

use bevy::{app::Plugins, camera::ScalingMode, prelude::*};
use bevy_steer_examples::{
    gallery::{self, window::GalleryWindowPlugin},
    hunter_prey::{self, window::GameWindowPlugin},
    stress::{self, window::StressWindowPlugin},
};
use clap::Parser;

use crate::{request::Request, small};

/// Runs the example until its window is closed; in the browser it goes on after this has returned.
/// Headless examples return their report. `adapt` changes the app before it runs.
///
/// # Errors
/// If there is no such example, or if it does not have these options.
pub(crate) fn run(
    request: &Request,
    adapt: impl FnOnce(&mut App),
) -> Result<Option<String>, String> {
    let mut app = match request.example.as_str() {
        "gallery" => {
            let options: gallery::options::Options = options(request)?;
            window(GalleryWindowPlugin { options })
        }
        "hunter_prey" => {
            let options: hunter_prey::options::Options = options(request)?;
            if options.headless {
                let (report, _) = hunter_prey::headless::simulate(&options, false);
                return Ok(Some(report.table()));
            }
            window(GameWindowPlugin { options })
        }
        "stress" => {
            let options: stress::options::Options = options(request)?;
            if options.headless {
                let report = stress::headless::measure(&options, || 0, false);
                return Ok(Some(report.table()));
            }
            window(StressWindowPlugin { options })
        }
        name => match small::find(name) {
            Some(example) if request.options.is_empty() => {
                let mut app = window(example.game);
                app.add_systems(PreUpdate, fit_camera);
                app
            }
            Some(_) => return Err(format!("The example {name} has no options.")),
            None => return Err(format!("There is no example \"{name}\".")),
        },
    };
    adapt(&mut app);
    match app.run() {
        AppExit::Success => Ok(None),
        AppExit::Error(_) => Err("The example has failed.".to_owned()),
    }
}

fn options<O: Parser>(request: &Request) -> Result<O, String> {
    let name = core::iter::once(&request.example);
    O::try_parse_from(name.chain(&request.options)).map_err(|error| error.to_string())
}

/// An app with a window, which in the browser is the canvas of the page.
fn window<M>(example: impl Plugins<M>) -> App {
    let window = Window {
        title: "bevy_steer".to_owned(),
        canvas: Some("#canvas".to_owned()),
        fit_canvas_to_parent: true,
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(windows)).add_plugins(example);
    app
}

/// Has a new camera of a flat world show at least what a window of the default size does: a canvas
/// may be smaller.
fn fit_camera(mut cameras: Query<&mut Projection, Added<Camera2d>>) {
    for mut projection in &mut cameras {
        if let Projection::Orthographic(flat) = &mut *projection
            && matches!(flat.scaling_mode, ScalingMode::WindowSize)
        {
            flat.scaling_mode = ScalingMode::AutoMin { min_width: 1280.0, min_height: 720.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::CameraProjection;

    use super::*;

    fn run_line(line: &str) -> Result<Option<String>, String> {
        let arguments = line.split_whitespace().map(str::to_owned);
        run(&Request::of_arguments(arguments), |_| {})
    }

    #[test]
    fn a_headless_run_returns_its_report() {
        for line in [
            "hunter_prey --headless --seconds=0.5",
            "stress --headless --agents=100 --ticks=2 --warm-up=2",
        ] {
            let report = run_line(line).unwrap().unwrap();
            assert!(report.contains("state hash"), "{line}: {report}");
        }
    }

    #[test]
    fn what_does_not_exist_is_an_error() {
        for (line, part) in [
            ("", "There is no example \"\"."),
            ("galery", "There is no example \"galery\"."),
            ("gallery --scene=nowhere", "no such scene"),
            ("stress --agents=many", "invalid value"),
            ("minimal_2d --seconds=3", "has no options"),
        ] {
            let error = run_line(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn a_small_canvas_shows_a_small_example_whole() {
        let mut app = App::new();
        app.add_systems(PreUpdate, fit_camera);
        let camera = app.world_mut().spawn(Camera2d).id();
        app.update();
        let projection = app.world().get::<Projection>(camera);
        let Some(Projection::Orthographic(flat)) = projection else { panic!("{projection:?}") };
        let seen = |width, height| {
            let mut flat = flat.clone();
            flat.update(width, height);
            flat.area.size()
        };
        let window = vec2(1280.0, 720.0);
        assert_eq!(seen(window.x, window.y), window);
        for (width, height) in [(390.0, 640.0), (700.0, 300.0)] {
            assert!(seen(width, height).cmpge(window).all(), "{}", seen(width, height));
        }
    }
}
