import { type AuditEntry, ForbiddenError, type Gapura, NotFoundError } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, shortTime } from './output.ts'

type FilterFlags = ListFlags & { tenant?: string; action?: string; from?: string; to?: string }

/** Tenant names by ID. The map contains no name for a tenant that the user may not see. */
type Names = Map<string, string | undefined>

const columnsOf = (names: Names): Column<AuditEntry>[] => [
  { title: 'AT', value: entry => shortTime(entry.at) },
  { title: 'ACTION', value: entry => entry.action },
  { title: 'SUBJECT', value: subjectOf, cut: true },
  {
    title: 'USER',
    value: entry => entry.actor_email ?? entry.actor_user_id ?? 'operator (command line)',
    cut: true,
    extra: true,
  },
  {
    title: 'TENANT',
    value: ({ tenant_id: id }) => (id === null ? '' : (names.get(id) ?? id)),
    cut: true,
    extra: true,
  },
  {
    title: 'AFTER',
    value: entry => (entry.after === null ? '' : JSON.stringify(entry.after)),
    cut: true,
    extra: true,
  },
]

export function addAudit(program: Command, cli: Cli): void {
  const audit = program.command('audit').description('Audit log of management actions')
  addLongListOptions(audit.command('list').description('list management actions, newest first by default'))
    .option('--tenant <id>', 'only actions that concern the tenant with this ID')
    .option('--action <action>', 'only this action, such as api_key.create')
    .option(
      '--from <day>',
      'only actions on or after this day or time; days such as 2026-11-01 are in Asia/Jakarta',
    )
    .option('--to <day>', 'only actions on or before this day or time')
    .action(({ tenant, action, from, to, ...flags }: FilterFlags) => {
      const gapura = cli.connect('user')
      const names: Names = new Map()
      const fetchPage = async (page: object) => {
        const entries = await gapura.audit.list({ tenant_id: tenant, action, from, to, ...page })
        if (!cli.json) await learnNames(gapura, names, entries.items)
        return entries
      }
      return showList(cli, flags, fetchPage, columnsOf(names), 'No actions found.')
    })
}

async function learnNames(gapura: Gapura, names: Names, entries: AuditEntry[]): Promise<void> {
  if (names.size === 0) {
    const { id, name } = await gapura.account.get()
    names.set(id, name)
  }
  for (const { tenant_id: id } of entries)
    if (id !== null && !names.has(id)) names.set(id, await nameOf(gapura, id))
}

async function nameOf(gapura: Gapura, tenantId: string): Promise<string | undefined> {
  try {
    return (await gapura.tenants.get(tenantId)).name
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined
    throw error
  }
}

/**
 * Returns the name or email address of the changed object. If the audit entry contains neither, returns the
 * object's ID.
 */
function subjectOf({ before, after, subject_id }: AuditEntry): string {
  const values = { ...before, ...after }
  const name = values.name ?? values.email
  return typeof name === 'string' ? name : (subject_id ?? '')
}
