//! A server that steers a crowd, and clients that show it.

pub mod client;
pub mod pose;
pub mod server;

use std::{io, thread, time::Duration};

use bevy::prelude::*;

use pose::Pose;

/// A server with its clients, in one process, connected by the loopback interface.
pub struct Session {
    /// It steers.
    pub server: App,
    /// They show what it tells them.
    pub clients: Vec<App>,
}

impl Session {
    /// Begins, and waits until the clients have all agents.
    ///
    /// # Errors
    ///
    /// If no socket can be opened, or the agents do not come.
    pub fn open(agents: u32, clients: usize) -> io::Result<Self> {
        let (server, address) = server::open(agents)?;
        let clients = (0..clients).map(|_| client::open(address)).collect::<Result<_, _>>()?;
        let mut session = Self { server, clients };
        let has_all = |client: &mut App| poses(client).len() == agents as usize;
        if !session.wait_until(|session| session.clients.iter_mut().all(has_all)) {
            return Err(io::Error::other("the agents have not come to all clients"));
        }
        Ok(session)
    }

    /// Lets frames pass until something holds; false if it does not within some seconds.
    fn wait_until(&mut self, mut holds: impl FnMut(&mut Self) -> bool) -> bool {
        (0..5000).any(|_| {
            self.frame();
            thread::sleep(Duration::from_millis(1));
            holds(self)
        })
    }

    /// A frame of the server, and one of each client.
    pub fn frame(&mut self) {
        self.server.update();
        self.clients.iter_mut().for_each(App::update);
    }

    /// Stops the server's time, and lets the clients receive all that it has told, if that comes
    /// within some seconds. Returns whether it came.
    pub fn settle(&mut self) -> bool {
        self.server.world_mut().resource_mut::<Time<Virtual>>().pause();
        self.wait_until(|session| {
            let told = poses(&mut session.server);
            session.clients.iter_mut().all(|client| poses(client) == told)
        })
    }
}

/// All poses that the server has told, or a client has received, in an order that does not depend
/// on entities.
pub fn poses(app: &mut App) -> Vec<Pose> {
    let mut query = app.world_mut().query::<&Pose>();
    let mut all: Vec<Pose> = query.iter(app.world()).copied().collect();
    all.sort_unstable();
    all
}
