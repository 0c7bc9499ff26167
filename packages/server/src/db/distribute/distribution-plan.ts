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
/** A database function. `body` is the text between the two `$$` of its definition. */
export type DatabaseFunction = { name: string; body: string }
export type Step = { tables: string[]; statements: string[] }
export type Placements = Readonly<Record<string, Placement>>

/**
 * Thrown if the tables of an installation cannot be distributed across a Citus cluster. The message contains
 * the reason.
 */
export class DistributionError extends Error {
  override name = 'DistributionError'
}

/**
 * The first table that is sharded by tenant. All further tables are co-located with this table, so that a
 * tenant's rows in all tables are on the same node.
 */
const FIRST = 'payments'

/**
 * Returns the steps that move the tables to a Citus cluster, from their `current` to their `declared`
 * placements. The steps also replace the functions and policies that must differ on a cluster.
 */
export function distributionPlan(declared: Placements, current: Placements, keys: ForeignKey[]): Step[] {
  const wanted = Object.keys(declared).filter(table => declared[table]?.kind !== 'local')
  for (const table of wanted) rejectMisplaced(table, declared[table] as Placement, current[table])
  const outstanding = wanted.filter(table => !isMoved(current[table]))
  // Citus cannot distribute a table while another table's foreign key refers to it. Tables connected by foreign keys
  // are therefore moved in the same step, which drops the keys and adds them again.
  const moving = keys.filter(({ from, to }) => outstanding.includes(from) && wanted.includes(to))
  // A foreign key to a local table is dropped permanently. With such a key, Citus would also plan the statements on
  // local tables, and reject some of these statements.
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
 * Returns the step that replaces the outdated functions of a distributed database, or no step if no function is
 * outdated. A function is outdated if it is from an earlier release, or if a migration replaced it with the version for
 * a single server.
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
 * Returns whether a table has been moved. A table in Citus' list may not have been moved, because the list also
 * contains local tables that a foreign key connects to a reference table.
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
 * the table `FIRST` (payments).
 */
function groupsOf(tables: string[], keys: ForeignKey[]): string[][] {
  const left = new Set([FIRST, ...tables].filter(table => tables.includes(table)))
  const groups: string[][] = []
  for (const first of left) {
    const group = [first]
    left.delete(first)
    // `group` grows during this loop, and the loop also reaches the added tables.
    for (const table of group)
      for (const { from, to } of keys) {
        const next = from === table ? to : to === table ? from : undefined
        if (next !== undefined && left.delete(next)) group.push(next)
      }
    groups.push(group)
  }
  return groups
}
