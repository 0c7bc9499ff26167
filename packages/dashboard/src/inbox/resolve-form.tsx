import { type ChallengeDecision, resolvePaymentInput } from '@gapura/server/resolve-input'
import { Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { Challenged } from './inbox-words.ts'
import { ReasonInput } from './reason-input.tsx'
import { refreshInbox } from './refresh-inbox.ts'

const text = words({
  en: {
    decision: 'Your decision',
    decide: 'Decide',
    accept: 'Accept',
    reject: 'Reject',
    acceptSum: (sum: string) => `Accept ${sum}`,
    effect: {
      accept: (sum: string) =>
        `Gapura approves the payment at the provider, if the provider supports this. If the provider confirms that it received the money, the payment becomes paid and ${sum} is credited to the merchant’s balance. The merchant is notified by webhook.`,
      unconfirmed: (sum: string) =>
        `${sum} is credited to the merchant’s balance now, although the provider has not confirmed that it received the money. If the provider later reports that the payment failed, expired or was cancelled, the credit is reversed.`,
      reject: () =>
        'Gapura denies the payment at the provider, if the provider supports this, and the payment fails. Nothing is credited. The merchant is notified by webhook. Money received later is still recorded.',
    },
    unconfirmed: 'Credit without the provider’s confirmation',
    reasonHint: 'The merchant can read your reason. Example: the missing amount was waived',
    done: { accept: 'Payment accepted', reject: 'Payment rejected' },
  },
  id: {
    decision: 'Keputusan Anda',
    decide: 'Putuskan',
    accept: 'Terima',
    reject: 'Tolak',
    acceptSum: (sum: string) => `Terima ${sum}`,
    effect: {
      accept: (sum: string) =>
        `Gapura menyetujui pembayaran di penyedia, jika penyedia mendukungnya. Jika penyedia mengonfirmasi bahwa dana diterima, pembayaran menjadi lunas dan ${sum} dikreditkan ke saldo merchant. Merchant diberi tahu lewat webhook.`,
      unconfirmed: (sum: string) =>
        `${sum} dikreditkan ke saldo merchant sekarang, meskipun penyedia belum mengonfirmasi bahwa dana diterima. Jika penyedia kemudian melaporkan bahwa pembayaran gagal, kedaluwarsa, atau dibatalkan, kredit ini ditarik kembali.`,
      reject: () =>
        'Gapura menolak pembayaran di penyedia, jika penyedia mendukungnya, dan pembayaran menjadi gagal. Tidak ada yang dikreditkan. Merchant diberi tahu lewat webhook. Dana yang diterima kemudian tetap dicatat.',
    },
    unconfirmed: 'Kreditkan tanpa konfirmasi penyedia',
    reasonHint: 'Alasan dapat dibaca merchant, misalnya: kekurangannya dibebaskan',
    done: { accept: 'Pembayaran diterima', reject: 'Pembayaran ditolak' },
  },
})

export function ResolveForm({ payment, close }: { payment: Challenged; close: () => void }) {
  const t = useWords(text)
  const format = useFormat()
  const queries = useQueryClient()
  const form = useForm({
    // No decision is selected by default, because accepting a payment credits money that may be fraudulent.
    initialValues: { decision: null as ChallengeDecision | null, reason: '', without_confirmation: false },
    validate: useChecks(resolvePaymentInput),
  })
  const { decision, reason, without_confirmation } = form.values
  const isUnconfirmed = decision === 'accept' && without_confirmation
  const sum = format.money(payment.amount)
  const resolve = useAct({
    mutationFn: (wanted: { decision: ChallengeDecision; reason: string; without_confirmation?: true }) =>
      client.payments.resolve.mutate({ payment_id: payment.payment_id, ...wanted }),
    form,
    ...(decision && { done: t.done[decision] }),
    onSuccess: async () => {
      close()
      await refreshInbox(queries)
    },
  })
  return (
    <form
      onSubmit={form.onSubmit(() => {
        if (decision)
          resolve.mutate({ decision, reason, ...(isUnconfirmed && { without_confirmation: true }) })
      })}
      noValidate
    >
      <Stack>
        <Radio.Group label={t.decision} {...form.getInputProps('decision')}>
          <Group mt="xs">
            <Radio value="accept" label={t.accept} />
            <Radio value="reject" label={t.reject} />
          </Group>
        </Radio.Group>
        <Text size="sm" role="status">
          {decision && t.effect[isUnconfirmed ? 'unconfirmed' : decision](sum)}
        </Text>
        {decision === 'accept' && (
          <Checkbox
            label={t.unconfirmed}
            {...form.getInputProps('without_confirmation', { type: 'checkbox' })}
          />
        )}
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow
          act={decision === null ? t.decide : decision === 'accept' ? t.acceptSum(sum) : t.reject}
          isActing={resolve.isPending}
          refusal={resolve.refusal}
          isGrave={decision === 'reject' || isUnconfirmed}
          isDisabled={decision === null}
        />
      </Stack>
    </form>
  )
}
