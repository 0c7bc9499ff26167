import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { placements } from '../placement.ts'
import { distribute, foreignKeysSql } from './distribute.ts'
import { distributedFunctions } from './distributed-rules.ts'
import {
  DistributionError,
  distributionPlan,
  type ForeignKey,
  functionsStep,
  type Placements,
} from './distribution-plan.ts'

const { db, url } = await testDatabase()
const { rows } = await db.raw(foreignKeysSql)
const keys: ForeignKey[] = rows

const moved = Object.keys(placements).filter(table => placements[table]?.kind !== 'local')
const plan = (current: Placements = {}) => distributionPlan(placements, current, keys)
const statementsOf = (current?: Placements) => plan(current).flatMap(({ statements }) => statements)
/**
 * Returns the placement of each table after the first `count` steps of the plan that distributes the tables to a
 * cluster. A table's placement is where its rows are stored.
 */
const after = (count: number): Placements =>
  Object.fromEntries(
    plan()
      .slice(0, count)
      .flatMap(({ tables }) => tables.map(table => [table, placements[table]])),
  ) as Placements

test('the distribution plan contains each sharded or replicated table exactly once, and no other table', () => {
  const named = statementsOf().flatMap(text => /create_\w+_table\('(\w+)'/.exec(text)?.[1] ?? [])
  expect(named.sort()).toEqual([...moved].sort())
  expect(
    plan()
      .flatMap(({ tables }) => tables)
      .sort(),
  ).toEqual([...moved].sort())
})

test('the step that moves two tables with a foreign key drops the key and creates it again', () => {
  const [dropped, added] = [
    /^alter table (\w+) drop constraint (\w+)$/,
    /^alter table (\w+) add constraint (\w+) (.*)$/,
  ]
  const between = keys.filter(({ from, to }) => moved.includes(from) && moved.includes(to))
  expect(between.length).toBeGreaterThan(0)
  for (const { from, name, definition } of between) {
    const step = plan().find(({ tables }) => tables.includes(from))
    const texts = step?.statements.flatMap(text => [dropped.exec(text) ?? added.exec(text) ?? []])
    expect(texts?.filter(found => found[1] === from && found[2] === name).map(found => found[3])).toEqual([
      undefined,
      definition,
    ])
  }
})

test('the distribution plan permanently drops foreign keys from a distributed table to a local one', () => {
  const toLocal = keys.filter(({ from, to }) => moved.includes(from) && !moved.includes(to))
  expect(toLocal.length).toBeGreaterThan(0)
  for (const { from, name } of toLocal)
    expect(statementsOf().filter(text => text.includes(name))).toEqual([
      `alter table ${from} drop constraint ${name}`,
    ])
})

test('two tables with a foreign key between them move to the cluster in the same step', () => {
  const stepOf = (table: string) => plan().findIndex(({ tables }) => tables.includes(table))
  const connecting = keys.filter(({ from, to }) => moved.includes(from) && moved.includes(to))
  for (const { from, to } of connecting) expect([from, to, stepOf(from)]).toEqual([from, to, stepOf(to)])
})

test('on a PostgreSQL server without Citus, distribute fails with an error that explains what to install', async () => {
  const distributing = distribute(url, { dryRun: true, say: () => {} })
  await expect(distributing).rejects.toThrow('does not have the extension citus; install it on every node')
})

test('the distribution plan moves payments first, so a tenant’s other rows land on the same node', () => {
  const texts = statementsOf().filter(text => text.includes('create_distributed_table'))
  expect(texts[0]).toBe("select create_distributed_table('payments', 'tenant_id', colocate_with => 'none')")
  for (const text of texts.slice(1))
    expect(text).toMatch(
      text.includes("'tenant_id'") ? /colocate_with => 'payments'/ : /colocate_with => 'none'/,
    )
})

test('if the distribution of the tables was interrupted, the next distribution plan contains exactly the remaining steps', () => {
  const steps = plan()
  for (let finished = 0; finished <= steps.length; finished++)
    expect(plan(after(finished))).toEqual(steps.slice(finished))
})

test('the distribution plan also moves a Citus local table, which Citus lists although it is undistributed', () => {
  expect(plan({ webhook_endpoints: { kind: 'local' } })).toEqual(plan())
})

test('a distribution plan is rejected if a table is sharded by a column other than its declared column', () => {
  const elsewhere: Placements = { payments: { kind: 'sharded', column: 'id' } }
  expect(() => plan(elsewhere)).toThrow(
    new DistributionError('table payments is sharded by id, but must be sharded by tenant_id'),
  )
})

test('on a distributed database, functions whose Citus version is missing or different are installed', () => {
  const distributed = after(plan().length)
  const functions = distributedFunctions.map(definition => ({
    name: /function (\w+)\(/.exec(definition)?.[1] ?? '',
    body: definition.split('$$')[1] ?? '',
  }))
  expect(functionsStep(distributed, functions)).toEqual([])
  const [lacking, other, ...rest] = functions.map(({ name }) => name)
  const ofEarlierRelease = functions
    .filter(({ name }) => name !== lacking)
    .map(each => (each.name === other ? { ...each, body: `${each.body} ` } : each))
  const [step] = functionsStep(distributed, ofEarlierRelease)
  const isReplaced = (name: string | undefined) =>
    step?.statements.some(statement => statement.startsWith(`create or replace function ${name}(`))
  expect([lacking, other].map(isReplaced)).toEqual([true, true])
  expect(rest.filter(isReplaced)).toEqual([])
})

test('the plan for an undistributed database has no separate step that installs functions', () => {
  expect(functionsStep({}, [])).toEqual([])
})
