// Finds statements that a migration must not contain while the previous release is still running
// (docs/guides/writing-migrations.md). Function bodies and DO blocks are not checked, because the parser libpg-query
// does not parse them.

import { parse } from 'libpg-query'

export type Breach = { rule: string; table: string }

// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL's parse tree; each rule reads only its part
type Node = any

const KEEPING = new Set(['now', 'current_timestamp', 'transaction_timestamp', 'statement_timestamp'])
/**
 * Matches a comment that exempts a migration from one of the rules for migrations, such as
 * `-- allow drop-column: the last version that reads it is 0.3`.
 */
const allowance = /^-- allow ([a-z-]+): \S.+$/gm

/**
 * Returns the rules that a migration breaks. Statements about tables created in the same file are exempt, because
 * no release uses these tables yet.
 */
export async function breachesOf(sql: string): Promise<Breach[]> {
  const { stmts = [] } = (await parse(sql)) as { stmts?: { stmt: Node }[] }
  const statements = stmts.map(({ stmt }) => stmt)
  const made = new Set(statements.map(each => each.CreateStmt?.relation.relname))
  const allowed = new Set([...sql.matchAll(allowance)].map(([, rule]) => rule))
  const added = new Set<string>()
  return statements
    .flatMap(each => breachesOfStatement(each, added, statements.length))
    .filter(({ rule, table }) => !made.has(table) && !allowed.has(rule))
}

function breachesOfStatement(statement: Node, added: Set<string>, count: number): Breach[] {
  const [kind, node] = Object.entries(statement)[0] as [string, Node]
  const at = (rule: string, table = node.relation?.relname ?? ''): Breach[] => [{ rule, table }]
  switch (kind) {
    case 'AlterTableStmt':
      return node.cmds.flatMap(({ AlterTableCmd }: Node) =>
        alterations(AlterTableCmd, added).map(rule => ({ rule, table: node.relation.relname })),
      )
    case 'IndexStmt':
      if (!node.concurrent) return at('locking-index')
      return count > 2 ? at('concurrently-by-itself') : []
    case 'RenameStmt':
      return ['OBJECT_TABLE', 'OBJECT_COLUMN'].includes(node.renameType) ? at('rename') : []
    case 'DropStmt':
      return node.removeType === 'OBJECT_TABLE' || node.removeType === 'OBJECT_VIEW'
        ? node.objects.flatMap(({ List }: Node) => at('drop-table', List.items.at(-1).String.sval))
        : []
    case 'TruncateStmt':
      return node.relations.flatMap(({ RangeVar }: Node) => at('drop-table', RangeVar.relname))
    case 'UpdateStmt':
    case 'DeleteStmt':
      return at('rows-at-once')
    case 'LockStmt':
      return node.relations.flatMap(({ RangeVar }: Node) => at('lock-table', RangeVar.relname))
    case 'ClusterStmt':
    case 'VacuumStmt':
    case 'ReindexStmt':
      return at('rewrite')
    default:
      return []
  }
}

function alterations(command: Node, added: Set<string>): string[] {
  switch (command.subtype) {
    case 'AT_DropColumn':
      return ['drop-column']
    case 'AT_AlterColumnType':
      return ['column-type']
    case 'AT_SetNotNull':
      return ['set-not-null']
    case 'AT_AddColumn':
      return columnRules(command.def.ColumnDef)
    case 'AT_AddConstraint':
      return constraintRules(command.def.Constraint, added)
    case 'AT_ValidateConstraint':
      return added.has(command.name) ? ['validate-later'] : []
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
    case 'AT_SetTableSpace':
      return ['rewrite']
    default:
      return []
  }
}

function columnRules({ constraints = [] }: Node): string[] {
  const of = (type: string) =>
    constraints.find(({ Constraint }: Node) => Constraint.contype === type)?.Constraint
  const value = of('CONSTR_DEFAULT')?.raw_expr
  const broken: string[] = []
  // A new column must not be required, because the previous release inserts rows without a value for it.
  if (of('CONSTR_NOTNULL') && !value && !of('CONSTR_IDENTITY')) broken.push('required-column')
  if (calls(value).some(name => !KEEPING.has(name)) || of('CONSTR_IDENTITY') || of('CONSTR_GENERATED'))
    broken.push('rewrite')
  if (of('CONSTR_UNIQUE') || of('CONSTR_PRIMARY')) broken.push('locking-index')
  // A check or foreign key constraint on a new column breaks the rule `validate-later`. PostgreSQL scans every row to
  // validate the constraint, even if all rows have the same value.
  if (of('CONSTR_CHECK') || of('CONSTR_FOREIGN')) broken.push('validate-later')
  return broken
}

function constraintRules(constraint: Node, added: Set<string>): string[] {
  switch (constraint.contype) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
    case 'CONSTR_NOTNULL':
      added.add(constraint.conname)
      return constraint.skip_validation ? [] : ['validate-later']
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
      return constraint.indexname ? [] : ['locking-index']
    case 'CONSTR_EXCLUSION':
      return ['locking-index']
    default:
      return []
  }
}

/** Returns the names of the functions called by an expression. */
function calls(expression: Node): string[] {
  if (typeof expression !== 'object' || expression === null) return []
  const own = expression.FuncCall ? [expression.FuncCall.funcname.at(-1).String.sval] : []
  return [...own, ...Object.values(expression).flatMap(calls)]
}
