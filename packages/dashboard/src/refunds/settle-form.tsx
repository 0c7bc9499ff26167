import { resolveRefundInput } from '@gapura/server/refund-input'
import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Inputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { ReasonInput } from '../inbox/reason-input.tsx'
import { refreshInbox } from '../inbox/refresh-inbox.ts'
import { useReasonCheck } from '../inbox/use-reason-check.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { RefundDetails } from './refund-words.ts'

const text = words({
  en: {
    outcome: 'Outcome',
    record: 'Record outcome',
    succeeded: 'Refunded',
    failed: 'Not refunded',
    todo: {
      manual: (sum: string) =>
        `Transfer ${sum} to this bank account, then record the transfer reference here.`,
      provider: (sum: string) =>
        `The provider has not confirmed this refund for 72 hours. Use its reference to look up the refund of ${sum} at the provider, then record the outcome here.`,
    },
    effect: {
      succeeded: 'The refund will be completed and the merchant notified by webhook. You cannot undo this.',
      failed: (sum: string) =>
        `${sum} will be credited back to the merchant, who is notified by webhook. You cannot undo this.`,
      uncredited: {
        succeeded:
          'The refund will be completed. No balance changes, because this money was never credited to a merchant. You cannot undo this.',
        failed:
          'No balance changes, because this money was never credited to a merchant. The money returns to the Inbox for your decision.',
      },
    },
    reference: 'Transfer reference',
    referenceHint: 'Your bank’s reference for the transfer, for example: TRF-20261120-0001',
    reasonHint: 'The merchant can read your reason, for example: the bank account is closed',
    act: { succeeded: 'Mark as refunded', failed: 'Mark as not refunded' },
    done: { succeeded: 'Refund completed', failed: 'Refund failed' },
  },
  id: {
    outcome: 'Hasil',
    record: 'Catat hasil',
    succeeded: 'Dikembalikan',
    failed: 'Tidak dikembalikan',
    todo: {
      manual: (sum: string) =>
        `Transfer ${sum} ke rekening ini. Setelah itu, catat referensi transfernya di sini.`,
      provider: (sum: string) =>
        `Penyedia belum mengonfirmasi pengembalian dana ini selama 72 jam. Periksa pengembalian ${sum} di penyedia berdasarkan referensinya, lalu catat hasilnya di sini.`,
    },
    effect: {
      succeeded:
        'Pengembalian dana selesai, dan merchant diberi tahu lewat webhook. Tindakan ini tidak dapat dibatalkan.',
      failed: (sum: string) =>
        `${sum} dikreditkan kembali kepada merchant, dan merchant diberi tahu lewat webhook. Tindakan ini tidak dapat dibatalkan.`,
      uncredited: {
        succeeded:
          'Pengembalian dana selesai. Tidak ada saldo yang berubah, karena dana ini tidak pernah dikreditkan. Tindakan ini tidak dapat dibatalkan.',
        failed:
          'Tidak ada saldo yang berubah, karena dana ini tidak pernah dikreditkan. Dana ini kembali menunggu keputusan Anda di Kotak masuk.',
      },
    },
    reference: 'Referensi transfer',
    referenceHint: 'Referensi transfer dari bank Anda, misalnya: TRF-20261120-0001',
    reasonHint: 'Alasan dapat dibaca merchant, misalnya: rekeningnya sudah ditutup',
    act: { succeeded: 'Tandai sudah dikembalikan', failed: 'Tandai tidak dikembalikan' },
    done: { succeeded: 'Pengembalian dana selesai', failed: 'Pengembalian dana gagal' },
  },
})

type Outcome = Inputs['refunds']['resolve']['outcome']

export default function SettleForm({ refund, close }: { refund: RefundDetails; close: () => void }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const sum = useFormat().money(refund.amount)
  const inputChecks = useChecks(resolveRefundInput)
  const reasonCheck = useReasonCheck()
  const form = useForm({
    // No outcome is preselected. Otherwise, the Owner (the service's operator) could confirm a wrong outcome by
    // mistake, and the merchant's balance would be wrong.
    initialValues: { outcome: null as Outcome | null, bank_reference: '', reason: '' },
    validate: values => ({
      reason: values.outcome === 'failed' ? reasonCheck(values.reason) : null,
      ...inputChecks(values),
    }),
  })
  const { outcome } = form.values
  const settle = useAct({
    mutationFn: (wanted: Inputs['refunds']['resolve']) => client.refunds.resolve.mutate(wanted),
    form,
    ...(outcome && { done: t.done[outcome] }),
    onSuccess: async () => {
      close()
      await refreshInbox(queries)
    },
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ bank_reference, reason }) => {
        if (outcome === 'succeeded')
          settle.mutate({ refund_id: refund.id, outcome, ...(bank_reference !== '' && { bank_reference }) })
        if (outcome === 'failed') settle.mutate({ refund_id: refund.id, outcome, reason })
      })}
    >
      <Stack>
        <Text size="sm">{t.todo[refund.method](sum)}</Text>
        <Radio.Group label={t.outcome} {...form.getInputProps('outcome')}>
          <Group mt="xs">
            <Radio value="succeeded" label={t.succeeded} />
            <Radio value="failed" label={t.failed} />
          </Group>
        </Radio.Group>
        {outcome === 'succeeded' && refund.method === 'manual' && (
          <TextInput
            label={t.reference}
            description={t.referenceHint}
            required
            autoComplete="off"
            {...form.getInputProps('bank_reference')}
          />
        )}
        {outcome === 'failed' && <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />}
        <Text size="sm" role="status">
          {outcome && !refund.in_ledger && t.effect.uncredited[outcome]}
          {outcome === 'succeeded' && refund.in_ledger && t.effect.succeeded}
          {outcome === 'failed' && refund.in_ledger && t.effect.failed(sum)}
        </Text>
        <ActRow
          act={outcome ? t.act[outcome] : t.record}
          isActing={settle.isPending}
          refusal={settle.refusal}
          isGrave={outcome === 'failed'}
          isDisabled={outcome === null}
        />
      </Stack>
    </form>
  )
}
