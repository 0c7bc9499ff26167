import type { AuditEntry } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, shortTime } from './output.ts'

const columns: Column<AuditEntry>[] = [
  { title: 'AT', value: entry => shortTime(entry.at) },
  { title: 'ACTION', value: entry => entry.action },
  { title: 'SUBJECT', value: entry => entry.subject_id ?? '' },
  { title: 'USER', value: entry => entry.actor_user_id ?? 'operator (command line)', extra: true },
  { title: 'TENANT', value: entry => entry.tenant_id ?? '', extra: true },
  {
    title: 'AFTER',
    value: entry => (entry.after === null ? '' : JSON.stringify(entry.after)),
    cut: true,
    extra: true,
  },
]

export function addAudit(program: Command, cli: Cli): void {
  const audit = program.command('audit').description('Audit log of management actions')
  addListOptions(audit.command('list').description('list management actions, newest first')).action(
    (flags: ListFlags) => {
      const gapura = cli.connect('user')
      return showList(cli, flags, page => gapura.audit.list(page), columns, 'No actions yet.')
    },
  )
}
