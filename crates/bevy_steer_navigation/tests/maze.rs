//! Agents in a maze.
