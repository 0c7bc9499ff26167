// Reprocesses a stored callback in two steps. First, the service reports what would change. Then the user
// confirms.

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { useAct } from '../parts/use-act.ts'
import { statusWords } from '../payments/payment-words.ts'
import { type Callback, callbackWords } from './callback-words.ts'
import { useOutcome } from './use-outcome.ts'
import { wouldChange } from './would-change.ts'

const text = words({
  en: {
    about:
      'Reprocess a callback that could not be applied before but can be now, for example after an upgrade.',
    rehearse: 'Preview reprocessing',
    would: 'Result if reprocessed',
    was: 'Result',
    change: (from: string, to: string) => `The payment changes from ${from} to ${to}.`,
    same: (status: string) => `The payment stays ${status}.`,
    noPayment: 'No payment changes.',
    useless: 'Reprocessing would change nothing.',
    apply: 'Reprocess',
    applied: 'Callback reprocessed',
  },
  id: {
    about:
      'Proses ulang callback yang sebelumnya tidak dapat diterapkan, tetapi sekarang dapat, misalnya setelah pembaruan.',
    rehearse: 'Pratinjau proses ulang',
    would: 'Hasil jika diproses ulang',
    was: 'Hasil',
    change: (from: string, to: string) => `Pembayaran berubah dari ${from} menjadi ${to}.`,
    same: (status: string) => `Pembayaran tetap ${status}.`,
    noPayment: 'Tidak ada pembayaran yang berubah.',
    useless: 'Memprosesnya ulang tidak mengubah apa pun.',
    apply: 'Proses ulang',
    applied: 'Callback telah diproses ulang',
  },
})

export function Reprocess({ callback: { id, status } }: { callback: Callback }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const rehearse = useAct({
    mutationFn: () => client.callbacks.reprocess.mutate({ id, dry_run: true }),
  })
  const apply = useAct({
    mutationFn: () => client.callbacks.reprocess.mutate({ id, dry_run: false }),
    done: t.applied,
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.callbacks.pathKey() }),
  })
  const result = apply.data ?? rehearse.data
  const isUseful = rehearse.data !== undefined && wouldChange(status, rehearse.data.outcome)
  return (
    <Stack gap="xs">
      {!result && (
        <Text size="sm" c="dimmed">
          {t.about}
        </Text>
      )}
      <div role="status">{result && <Result result={result} />}</div>
      {rehearse.data && !isUseful && !apply.data && <Text size="sm">{t.useless}</Text>}
      <Group>
        {!result && (
          <Button variant="default" loading={rehearse.isPending} onClick={() => rehearse.mutate(undefined)}>
            {t.rehearse}
          </Button>
        )}
        {isUseful && !apply.data && (
          <Button loading={apply.isPending} onClick={() => apply.mutate(undefined)}>
            {t.apply}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Result({ result }: { result: Outputs['callbacks']['reprocess'] }) {
  const t = useWords(text)
  const outcomes = useWords(callbackWords)
  const outcomeIn = useOutcome()
  const statuses = useWords(statusWords)
  const { outcome, reason, from, to, dry_run } = result
  const effect =
    from === null || to === null
      ? t.noPayment
      : from === to
        ? t.same(statuses[to])
        : t.change(statuses[from], statuses[to])
  return (
    <Alert
      color={outcome === 'applied' ? 'gapura' : 'gray'}
      title={`${dry_run ? t.would : t.was}: ${outcomes[outcome]}`}
    >
      <Text size="sm">{outcomeIn(outcome, reason)}</Text>
      <Text size="sm">{effect}</Text>
    </Alert>
  )
}
