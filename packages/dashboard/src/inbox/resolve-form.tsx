import { type Decision, resolvePaymentInput } from '@gapura/server/resolve-input'
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
        `The provider is asked, and approves the payment where it can. If it confirms the money, the payment becomes paid and ${sum} is credited to the balance of the merchant, who is notified by webhook.`,
      unconfirmed: (sum: string) =>
        `${sum} is credited to the balance of the merchant now, though the provider has not confirmed the money. If the provider later reports that the payment failed, expired or was cancelled, the credit is taken back.`,
      reject: () =>
        'The payment is denied at the provider where it can be, and fails. Nothing is credited. The merchant is notified by webhook. Money that arrives later still counts.',
    },
    unconfirmed: 'Credit it without the provider’s confirmation',
    reasonHint: 'The merchant sees it, e.g. the difference was waived',
    done: { accept: 'The payment is paid', reject: 'The payment has failed' },
  },
  id: {
    decision: 'Keputusan Anda',
    decide: 'Putuskan',
    accept: 'Terima',
    reject: 'Tolak',
    acceptSum: (sum: string) => `Terima ${sum}`,
    effect: {
      accept: (sum: string) =>
        `Penyedia ditanya, dan menyetujui pembayaran bila bisa. Jika penyedia memastikan dananya, pembayaran menjadi lunas dan ${sum} dikreditkan ke saldo merchant, yang diberi tahu lewat webhook.`,
      unconfirmed: (sum: string) =>
        `${sum} dikreditkan ke saldo merchant sekarang, meskipun penyedia belum memastikan dananya. Jika penyedia kemudian melaporkan bahwa pembayaran gagal, kedaluwarsa, atau dibatalkan, kredit ini ditarik kembali.`,
      reject: () =>
        'Pembayaran ditolak di penyedia bila bisa, lalu menjadi gagal. Tidak ada yang dikreditkan. Merchant diberi tahu lewat webhook. Dana yang masuk kemudian tetap dihitung.',
    },
    unconfirmed: 'Kreditkan tanpa kepastian dari penyedia',
    reasonHint: 'Terlihat oleh merchant, mis. selisihnya dibebaskan',
    done: { accept: 'Pembayaran telah lunas', reject: 'Pembayaran telah gagal' },
  },
})

export function ResolveForm({ payment, close }: { payment: Challenged; close: () => void }) {
  const t = useWords(text)
  const format = useFormat()
  const queries = useQueryClient()
  const form = useForm({
    // No decision is preselected: accepting credits money that may be fraudulent.
    initialValues: { decision: null as Decision | null, reason: '', without_confirmation: false },
    validate: useChecks(resolvePaymentInput),
  })
  const { decision, reason, without_confirmation } = form.values
  const isUnconfirmed = decision === 'accept' && without_confirmation
  const sum = format.money(payment.amount)
  const resolve = useAct({
    mutationFn: (wanted: { decision: Decision; reason: string; without_confirmation?: true }) =>
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
