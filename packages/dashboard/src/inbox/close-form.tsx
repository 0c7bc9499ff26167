import { closeDifferenceInput } from '@gapura/server/close-input'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { ReasonInput } from './reason-input.tsx'
import { refreshInbox } from './refresh-inbox.ts'

const text = words({
  en: {
    about:
      'Close it only if it is accounted for. No balance changes. Where the books agree again, the next morning closes it by itself.',
    reasonHint: 'Kept with the difference, e.g. the provider settles it tomorrow',
    close: 'Close the difference',
    done: 'Closed',
  },
  id: {
    about:
      'Tutup hanya jika penyebabnya sudah jelas. Saldo tidak berubah. Jika pembukuan sudah cocok lagi, selisih ini tertutup sendiri keesokan paginya.',
    reasonHint: 'Disimpan bersama selisih, mis. penyedia menyelesaikannya besok',
    close: 'Tutup selisih',
    done: 'Sudah ditutup',
  },
})

export function CloseForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({ initialValues: { reason: '' }, validate: useChecks(closeDifferenceInput) })
  const closing = useAct({
    mutationFn: (wanted: typeof form.values) =>
      client.reconciliation.closeDifference.mutate({ id, ...wanted }),
    form,
    done: t.done,
    onSuccess: async () => {
      onDone()
      await refreshInbox(queries)
    },
  })
  return (
    <form onSubmit={form.onSubmit(wanted => closing.mutate(wanted))} noValidate>
      <Stack>
        <Text size="sm">{t.about}</Text>
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow act={t.close} isActing={closing.isPending} refusal={closing.refusal} />
      </Stack>
    </form>
  )
}
