//! Two peers that both steer come to the same state, though each learns late what the other does.

use bevy_steer_examples::rollback::{peer::Peer, play};

const FRAMES: i32 = 300;

fn played(late: usize) -> [Peer; 2] {
    play(FRAMES, late).expect("the loopback interface")
}

#[test]
fn peers_come_to_the_same_state() {
    for late in [0, 2, 6] {
        let peers = played(late);
        let states = peers.each_ref().map(|peer| &peer.checksums);
        for frame in 0..=FRAMES {
            assert_eq!(states[0][&frame], states[1][&frame], "{late}, in frame {frame}");
        }
        // A fish swims on in each frame.
        assert_ne!(states[0][&FRAMES], states[0][&(FRAMES - 1)]);
        for peer in &peers {
            let (back, again) = (peer.rollbacks, peer.repeated);
            // Each time that the other player has pressed something else.
            let wrong = FRAMES as usize / 20;
            assert!(late == 0 || back >= wrong / 2, "{late}: {back} times back");
            assert!(again >= back && again <= back * (late + 3), "{late}: {again} frames again");
        }
    }
}

#[test]
fn what_players_do_changes_the_state() {
    let [one, _] = played(2);
    assert_ne!(one.checksums[&0], one.checksums[&1]);
    let moved = (1..=FRAMES).filter(|frame| one.checksums[frame] != one.checksums[&(frame - 1)]);
    assert_eq!(moved.count(), FRAMES as usize);
}
