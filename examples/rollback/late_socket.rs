//! [`LateSocket`]: the loopback interface, but as slow as a network.

use std::{
    collections::VecDeque,
    io,
    net::{Ipv4Addr, SocketAddr, UdpSocket},
};

use ggrs::{Message, NonBlockingSocket};

/// A socket that hands over each message some frames after it has come.
pub struct LateSocket {
    socket: UdpSocket,
    late: usize,
    /// How often it was asked for messages: once a frame.
    frame: usize,
    /// What has come, and in which frame it is handed over.
    under_way: VecDeque<(usize, SocketAddr, Message)>,
}

impl LateSocket {
    /// A socket at a free port.
    ///
    /// # Errors
    ///
    /// If it can't be opened.
    pub fn open(late: usize) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, late, frame: 0, under_way: VecDeque::new() })
    }

    /// Its address.
    ///
    /// # Errors
    ///
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl NonBlockingSocket<SocketAddr> for LateSocket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        // A message that is lost is sent again by the session.
        if let Ok(bytes) = postcard::to_stdvec(message) {
            _ = self.socket.send_to(&bytes, address);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.frame += 1;
        let mut bytes = [0; 2048];
        while let Ok((count, from)) = self.socket.recv_from(&mut bytes) {
            if let Ok(message) = postcard::from_bytes(&bytes[..count]) {
                self.under_way.push_back((self.frame + self.late, from, message));
            }
        }
        let due = self.under_way.partition_point(|&(frame, ..)| frame <= self.frame);
        self.under_way.drain(..due).map(|(_, from, message)| (from, message)).collect()
    }
}
