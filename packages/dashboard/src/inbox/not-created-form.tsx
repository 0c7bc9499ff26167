import { resolveUnknownPaymentInput } from '@gapura/server/decision-input'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { Unknown } from './inbox-words.ts'
import { ReasonInput } from './reason-input.tsx'
import { refreshInbox } from './refresh-inbox.ts'

const text = words({
  en: {
    about:
      'Only if you looked it up at the provider, and nothing of it is there. The charge is given up, and the same order of the merchant charges again: what the provider did take would then be charged twice.',
    reasonHint: 'It is kept with the payment, e.g. not in the dashboard of the provider',
    settle: 'Nothing of it is there',
    done: 'Settled: the same order can be charged again',
  },
  id: {
    about:
      'Hanya jika Anda sudah memeriksanya di penyedia dan tidak ada apa pun di sana. Permintaan dilepas, dan pesanan yang sama dari merchant akan ditagih lagi: yang ternyata diterima penyedia akan tertagih dua kali.',
    reasonHint: 'Disimpan bersama pembayaran, mis. tidak ada di dasbor penyedia',
    settle: 'Tidak ada di sana',
    done: 'Selesai: pesanan yang sama dapat ditagih lagi',
  },
})

type Given = { payment: Unknown; back: () => void; onDone: () => void }

export function NotCreatedForm({ payment, back, onDone }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { decision: 'not_created' as const, reason: '' },
    validate: useChecks(resolveUnknownPaymentInput),
  })
  const settle = useAct({
    mutationFn: (wanted: typeof form.values) =>
      client.unknownPayments.resolve.mutate({ payment_id: payment.payment_id, ...wanted }),
    form,
    done: t.done,
    onSuccess: async () => {
      onDone()
      await refreshInbox(queries)
    },
  })
  return (
    <form onSubmit={form.onSubmit(wanted => settle.mutate(wanted))} noValidate>
      <Stack>
        <Text size="sm">{t.about}</Text>
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow back={back} act={t.settle} isActing={settle.isPending} refusal={settle.refusal} isGrave />
      </Stack>
    </form>
  )
}
