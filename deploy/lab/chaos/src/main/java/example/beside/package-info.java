/**
 * Jobs that train beside the one whose faults are told: users' programs, and SQL. They read the
 * same topic in the same processes, so the same faults hit them.
 */
package example.beside;
