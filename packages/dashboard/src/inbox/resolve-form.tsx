import { type Decision, resolvePaymentInput } from '@gapura/server/resolve-input'
import { Group, Radio, Stack, Text } from '@mantine/core'
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
        `The payment becomes paid, and ${sum} is credited to the balance of the merchant, who is told by webhook and delivers.`,
      reject: () =>
        'The payment has failed, and nothing is credited. The merchant is told by webhook. Money that comes for it all the same is kept under “Unexpected money”.',
    },
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
        `Pembayaran menjadi lunas, dan ${sum} dikreditkan ke saldo merchant, yang diberi tahu lewat webhook lalu mengirim pesanan.`,
      reject: () =>
        'Pembayaran menjadi gagal, dan tidak ada yang dikreditkan. Merchant diberi tahu lewat webhook. Dana yang tetap masuk untuknya disimpan di “Dana tak terduga”.',
    },
    reasonHint: 'Terlihat oleh merchant, mis. selisihnya dibebaskan',
    done: { accept: 'Pembayaran telah lunas', reject: 'Pembayaran telah gagal' },
  },
})

export function ResolveForm({ payment, close }: { payment: Challenged; close: () => void }) {
  const t = useWords(text)
  const format = useFormat()
  const queries = useQueryClient()
  const form = useForm({
    // Neither is the usual one: what is accepted credits money that may be a fraud's.
    initialValues: { decision: null as Decision | null, reason: '' },
    validate: useChecks(resolvePaymentInput),
  })
  const { decision, reason } = form.values
  const sum = format.money(payment.amount_received ?? payment.amount)
  const resolve = useAct({
    mutationFn: (wanted: { decision: Decision; reason: string }) =>
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
        if (decision) resolve.mutate({ decision, reason })
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
          {decision && t.effect[decision](sum)}
        </Text>
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow
          act={decision === null ? t.decide : decision === 'accept' ? t.acceptSum(sum) : t.reject}
          isActing={resolve.isPending}
          refusal={resolve.refusal}
          isGrave={decision === 'reject'}
          isDisabled={decision === null}
        />
      </Stack>
    </form>
  )
}
