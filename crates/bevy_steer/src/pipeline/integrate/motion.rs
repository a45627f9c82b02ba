//! The system that moves agents: a step, the edges of the world, and the `Transform`.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::other_planes,
        contributions::Contributions,
        locomotion::SkipIntegration,
        surface_slot::SurfaceSlot,
        tick_context::Tick,
        vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
    },
    behavior::near_surfaces::NearSurfaces,
    ecs::{
        columns::{Column, Columns, Shared},
        parallel::for_each_piece,
    },
    pipeline::integrate::{
        columns::MotionColumns,
        motion_simd::{inside, move_block},
        slide::SurfaceColumn,
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH},
    },
    space::{bounds::Bounds, plane::SteeringPlane},
};

pub(crate) fn move_agents(
    mut agents: Query<
        (
            (
                Entity,
                &Vehicle,
                &SteeringForce,
                &Contributions,
                Option<&SteeringPlane>,
                Option<&Bounds>,
                Option<&SurfaceSlot>,
                Has<KeepRotation>,
            ),
            (&mut Velocity, &mut Heading, &mut Transform, Option<&mut AngularVelocity>),
        ),
        Without<SkipIntegration>,
    >,
    surfaces: NearSurfaces,
    tick: Tick,
) {
    let (tick, surfaces) = (tick.borrow(), &surfaces);
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let tables = tables.map(|(table, (velocities, headings, transforms, spins))| {
        let (velocities, headings) = (Column::from(velocities), Column::from(headings));
        (table, (velocities, headings, Column::from(transforms), spins.map(Column::from)))
    });
    let (tables, mut moving): (Vec<_>, Vec<_>) = tables.unzip();
    let tables = tables.into_iter().zip(&mut moving).map(|(table, moving)| {
        let (entities, vehicles, forces, contributions, planes, bounds, slots, keeps) = table;
        let (velocities, headings, transforms, spins) = moving;
        let rows = MotionColumns {
            entities,
            vehicles,
            forces,
            contributions,
            planes,
            bounds,
            keep_rotation: Shared(keeps),
            velocities: velocities.reborrow(),
            headings: headings.reborrow(),
            transforms: transforms.reborrow(),
            spins: spins.as_mut().map(Column::reborrow),
            tick,
            surfaces: SurfaceColumn { slots, surfaces: Shared(surfaces) },
        };
        (entities.len(), rows)
    });
    for_each_piece(tables.collect(), |_, mut rows: MotionColumns| {
        rows.planes = other_planes(rows.planes, tick.settings.plane);
        if rows.planes.is_some() || rows.bounds.is_some() || rows.spins.is_some() {
            rows.move_all();
        } else {
            dispatch(PlainColumns(rows));
        }
    });
}

/// Agents of one plane, with the bounds of the world, that look where they go.
struct PlainColumns<'a>(MotionColumns<'a>);

impl Kernel for PlainColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let plane = self.0.tick.settings.plane;
        let inside = inside(self.0.tick.bounds);
        let count = self.0.entities.len() / WIDTH * WIDTH;
        let (mut rows, others) = self.0.split_at(count);
        rows.vehicles = &rows.vehicles[..count];
        rows.forces = &rows.forces[..count];
        rows.contributions = &rows.contributions[..count];
        rows.velocities = rows.velocities.first(count);
        rows.headings = rows.headings.first(count);
        rows.transforms = rows.transforms.first(count);
        for block in 0..count / WIDTH {
            move_block(l, &mut rows, block * WIDTH, plane, &inside);
        }
        others.move_all();
    }
}
