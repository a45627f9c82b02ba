//! The examples as one program: the gallery, hunter/prey, the stress test and the small examples.
//! In the browser the address of the page says which one, and with which options; elsewhere the
//! command line.
//!
//! ```text
//! tools/web                                        # builds the pages
//! bevy_steer_web gallery --scene flock             # the same as a program
//! bevy_steer_web --pages                           # prints page/pages.json
//! ```

#[cfg(target_family = "wasm")]
mod browser;
mod pages;
mod request;
mod run;
mod small;

#[cfg(target_family = "wasm")]
fn main() {
    browser::start();
}

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["--pages"] {
        println!("{}", pages::json());
        return ExitCode::SUCCESS;
    }
    let request = request::Request::of_arguments(arguments);
    match run::run(&request, |_| {}) {
        Ok(report) => {
            print!("{}", report.unwrap_or_default());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
