import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { ReasonInput } from '../inbox/reason-input.tsx'
import { refreshInbox } from '../inbox/refresh-inbox.ts'
import { useReasonCheck } from '../inbox/use-reason-check.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useProviderName } from '../payments/provider-name.ts'
import type { RefundDetails } from './refund-words.ts'

const text = words({
  en: {
    open: 'Chargeback won…',
    effect: (sum: string, provider: string) =>
      `Record the chargeback as won if the merchant won it and ${provider} has removed it from the order. Gapura first checks this with ${provider}. ${sum} is then credited back to the merchant, who is notified by webhook. You cannot undo this.`,
    reasonHint: 'The merchant can read your reason, for example: the bank decided for the merchant',
    act: 'Record as won',
    done: 'Chargeback recorded as won',
  },
  id: {
    open: 'Chargeback dimenangkan…',
    effect: (sum: string, provider: string) =>
      `Catat ini jika merchant memenangkan chargeback dan ${provider} sudah menghapusnya dari pesanan. Gapura lebih dulu memastikannya kepada ${provider}. Setelah itu, ${sum} dikreditkan kembali kepada merchant, dan merchant diberi tahu lewat webhook. Tindakan ini tidak dapat dibatalkan.`,
    reasonHint: 'Alasan ini dapat dibaca oleh merchant, misalnya: bank memenangkan merchant',
    act: 'Catat sebagai dimenangkan',
    done: 'Chargeback dicatat sebagai dimenangkan',
  },
})

/** Records that the merchant won a chargeback, if the provider itself does not report this. */
export default function WonForm({ refund, close }: { refund: RefundDetails; close: () => void }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const sum = useFormat().money(refund.amount)
  const provider = useProviderName()(refund.provider)
  const [isOpen, setIsOpen] = useState(false)
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: useReasonCheck() },
  })
  const recording = useAct({
    mutationFn: ({ reason }: typeof form.values) =>
      client.refunds.resolve.mutate({ refund_id: refund.id, outcome: 'failed', reason }),
    form,
    done: t.done,
    onSuccess: async () => {
      close()
      await refreshInbox(queries)
    },
  })
  if (!isOpen)
    return (
      <div>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {t.open}
        </Button>
      </div>
    )
  return (
    <form noValidate onSubmit={form.onSubmit(wanted => recording.mutate(wanted))}>
      <Stack>
        <Text size="sm">{t.effect(sum, provider)}</Text>
        <ReasonInput description={t.reasonHint} autoFocus {...form.getInputProps('reason')} />
        <ActRow
          back={() => setIsOpen(false)}
          act={t.act}
          isActing={recording.isPending}
          refusal={recording.refusal}
          isGrave
        />
      </Stack>
    </form>
  )
}
