import type { ProviderCallback, RejectedCallback, ReprocessedCallback } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { addLongListOptions, type ListFlags, showList, showRows } from './lists.ts'
import { type Column, note, printJson, shortTime } from './output.ts'

const statuses = ['received', 'applied', 'repeated', 'refused', 'ignored', 'unmatched', 'unreadable'] as const
type CallbackFlags = ListFlags & {
  mode?: ModeChoice
  status?: ProviderCallback['status']
  provider?: string
  payment?: string
  rejected?: true
}

const sent: Column<ProviderCallback | RejectedCallback>[] = [
  { title: 'ID', value: callback => callback.id },
  { title: 'RECEIVED', value: callback => shortTime(callback.received_at) },
  { title: 'PROVIDER', value: callback => callback.provider },
]
const columns: Column<ProviderCallback>[] = [
  ...sent,
  { title: 'STATUS', value: callback => callback.status },
  { title: 'REASON', value: callback => callback.reason ?? '', cut: true, extra: true },
  { title: 'PAYMENT', value: callback => callback.payment_id ?? '', extra: true },
]
const rejectedColumns: Column<RejectedCallback>[] = [
  ...sent,
  { title: 'REASON', value: callback => callback.reason, cut: true },
]

type Reprocessed = ReprocessedCallback & { id: string }
const reprocessedColumns: Column<Reprocessed>[] = [
  { title: 'CALLBACK', value: each => each.id },
  { title: 'OUTCOME', value: each => each.outcome },
  { title: 'FROM', value: each => each.from ?? '' },
  { title: 'TO', value: each => each.to ?? '' },
  { title: 'REASON', value: each => each.reason ?? '', cut: true, extra: true },
  { title: 'PAYMENT', value: each => each.payment_id ?? '', extra: true },
]

export function addCallbacks(program: Command, cli: Cli): void {
  const callbacks = program.command('callbacks').description('Callbacks from providers (Owner only)')

  addLongListOptions(callbacks.command('list').description('list callbacks, newest first by default'))
    .addOption(new Option('--status <status>', 'only callbacks with this status').choices(statuses))
    .option('--provider <code>', 'only callbacks from this provider')
    .addOption(modeFilterOption('callbacks'))
    .option('--payment <payment>', 'only callbacks for this payment (code or id)')
    .option('--rejected', 'only callbacks rejected because of an invalid signature or source address')
    .action(({ status, provider, mode, payment, rejected, ...flags }: CallbackFlags) => {
      const gapura = cli.connect('user')
      const none = 'No callbacks found.'
      if (rejected) {
        if (status || payment || flags.order || flags.count)
          throw new UsageError('--rejected can be combined only with --provider and --mode')
        const list = (page: object) => gapura.providerCallbacks.listRejected({ provider, mode, ...page })
        return showList(
          cli,
          flags,
          list,
          [...modeColumn(mode), ...rejectedColumns],
          emptyText(cli, mode, none, payment),
        )
      }
      const list = (page: object) =>
        gapura.providerCallbacks.list({ status, provider, mode, payment_id: payment, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...columns],
        emptyText(cli, mode, none, payment),
      )
    })

  callbacks
    .command('reprocess')
    .description(
      'show what would change if stored provider callbacks were reapplied; with --apply, reapply them',
    )
    .argument('<id...>', 'ids of callbacks')
    .option('--apply', 'apply the callbacks')
    .action(async (ids: string[], { apply }: { apply?: true }) => {
      const gapura = cli.connect('user')
      const done: Reprocessed[] = []
      for (const id of ids) done.push({ id, ...(await gapura.providerCallbacks.reprocess(id, { apply })) })
      if (cli.json) {
        printJson(cli, { items: done })
        return
      }
      showRows(cli, done, reprocessedColumns, '')
      note(cli, apply ? 'Applied.' : 'Dry run: nothing was changed. Add --apply to apply the callbacks.')
    })
}
