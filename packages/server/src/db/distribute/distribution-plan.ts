// Plans how an installation's tables are distributed across the nodes of a Citus cluster. Each step in the plan is
// one transaction, so an interruption leaves no step half done.

import type { Placement } from '../placement.ts'
import {
  deleteCopiedRows,
  distributedFunctions,
  functionsOfPayments,
  permissivePolicies,
} from './distributed-rules.ts'

/** A foreign key in the database, with its definition as PostgreSQL prints it. */
export type ForeignKey = { name: string; from: string; to: string; definition: string }
/** A function in the database, with its text between `$$` and `$$`. */
export type DatabaseFunction = { name: string; body: string }
export type Step = { tables: string[]; statements: string[] }
export type Placements = Readonly<Record<string, Placement>>

/** Thrown if an installation cannot be distributed. The message contains the reason. */
export class DistributionError extends Error {
  override name = 'DistributionError'
}

/**
 * The first table that is sharded by tenant. All further tables are co-located with it, so each tenant's rows are
 * on the same node in every table.
 */
const FIRST = 'payments'

/**
 * Returns the steps that move the tables from their `current` to their `declared` placements. Each step also
 * replaces functions and policies that must differ on a Citus cluster.
 *
 * Citus cannot distribute a table while another table's foreign key refers to it. Tables connected by foreign keys
 * therefore share a step, which drops these keys and adds them again. A foreign key to a local table is dropped
 * permanently. Otherwise, Citus would plan all statements on the connected local tables, and would reject some of these
 * statements.
 */
export function distributionPlan(declared: Placements, current: Placements, keys: ForeignKey[]): Step[] {
  const wanted = Object.keys(declared).filter(table => declared[table]?.kind !== 'local')
  for (const table of wanted) rejectMisplaced(table, declared[table] as Placement, current[table])
  const outstanding = wanted.filter(table => !isMoved(current[table]))
  const moving = keys.filter(({ from, to }) => outstanding.includes(from) && wanted.includes(to))
  const toLocal = keys.filter(({ from, to }) => outstanding.includes(from) && !wanted.includes(to))
  return groupsOf(outstanding, moving).map(tables => {
    const inGroup = moving.filter(({ from }) => tables.includes(from))
    const byKind = (kind: string) => tables.filter(table => declared[table]?.kind === kind)
    return {
      tables,
      statements: [
        ...(tables.includes(FIRST) ? distributedFunctions : []),
        permissivePolicies(tables),
        ...[...inGroup, ...toLocal.filter(({ from }) => tables.includes(from))].map(
          ({ from, name }) => `alter table ${from} drop constraint ${name}`,
        ),
        ...tables.map(table => `alter table ${table} disable trigger user`),
        ...byKind('reference').map(table => `select create_reference_table('${table}')`),
        ...byKind('sharded').map(table => createDistributed(table, declared[table] as Placement)),
        deleteCopiedRows(tables),
        ...tables.map(table => `alter table ${table} enable trigger user`),
        ...(tables.includes(FIRST) ? functionsOfPayments : []),
        ...inGroup.map(
          ({ from, name, definition }) => `alter table ${from} add constraint ${name} ${definition}`,
        ),
      ],
    }
  })
}

/**
 * Returns the step that replaces the outdated functions of a distributed database, if there are any. A
 * function is outdated if it comes from an earlier release, or if a migration replaced it with its form for a
 * single server.
 */
export function functionsStep(current: Placements, functions: DatabaseFunction[]): Step[] {
  if (!isMoved(current[FIRST])) return []
  const outdated = distributedFunctions.filter(
    definition =>
      !functions.some(
        ({ name, body }) =>
          definition.startsWith(`create or replace function ${name}(`) && definition.includes(`$$${body}$$`),
      ),
  )
  return outdated.length > 0 ? [{ tables: [], statements: [...outdated, ...functionsOfPayments] }] : []
}

/**
 * Citus lists not only distributed tables, but also local tables that a foreign key connects to a reference table.
 * These local tables have not been moved.
 */
const isMoved = (placement: Placement | undefined): boolean =>
  placement !== undefined && placement.kind !== 'local'

function rejectMisplaced(table: string, declared: Placement, current: Placement | undefined): void {
  if (!isMoved(current) || describe(declared) === describe(current as Placement)) return
  throw new DistributionError(
    `table ${table} is ${describe(current as Placement)}, but must be ${describe(declared)}`,
  )
}

const describe = (placement: Placement): string =>
  placement.kind === 'sharded' ? `sharded by ${placement.column}` : `a ${placement.kind} table`

function createDistributed(table: string, placement: Placement): string {
  const column = placement.kind === 'sharded' ? placement.column : ''
  const colocation = column === 'tenant_id' && table !== FIRST ? FIRST : 'none'
  return `select create_distributed_table('${table}', '${column}', colocate_with => '${colocation}')`
}

/**
 * Groups the tables so that every foreign key connects two tables in the same group. The first group contains
 * `FIRST`.
 */
function groupsOf(tables: string[], keys: ForeignKey[]): string[][] {
  const left = new Set([FIRST, ...tables].filter(table => tables.includes(table)))
  const groups: string[][] = []
  for (const first of left) {
    const group = [first]
    left.delete(first)
    // The loop appends tables to the group and then also visits these tables.
    for (const table of group)
      for (const { from, to } of keys) {
        const next = from === table ? to : to === table ? from : undefined
        if (next !== undefined && left.delete(next)) group.push(next)
      }
    groups.push(group)
  }
  return groups
}
