import { callbackUrlInput } from '@gapura/server/webhook-input'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import classes from './callback-url.module.css'
import { endpointQuery } from './endpoint.ts'

const text = words({
  en: {
    url: 'Where webhooks are sent',
    rule: 'The URL must use https and be reachable from the internet.',
    none: 'No callback URL is set. Events are stored and can be delivered after you set one.',
    save: 'Save',
    saved: 'Saved. Webhooks will now be sent to this URL.',
    remove: 'Remove…',
    removeTitle: 'Remove the callback URL?',
    removeMore:
      'No more webhooks will be sent. Events will still be stored with the status “No URL” and can be delivered after you set a URL again.',
    removeAct: 'Remove URL',
    removed: 'URL removed. No more webhooks will be sent.',
  },
  id: {
    url: 'Alamat pengiriman webhook',
    rule: 'URL harus memakai https dan dapat dijangkau dari internet.',
    none: 'URL callback belum diatur. Event tetap disimpan dan dapat dikirim setelah URL diatur.',
    save: 'Simpan',
    saved: 'Tersimpan. Webhook kini dikirim ke URL ini.',
    remove: 'Hapus…',
    removeTitle: 'Hapus URL callback?',
    removeMore:
      'Webhook tidak lagi dikirim. Event tetap disimpan dengan status “Tanpa URL” dan dapat dikirim setelah URL diatur lagi.',
    removeAct: 'Hapus URL',
    removed: 'URL telah dihapus. Webhook tidak lagi dikirim.',
  },
})

export function CallbackUrl({ url }: { url: string | null }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isRemoving, removal] = useDisclosure()
  const form = useForm({
    initialValues: { callback_url: url ?? '' },
    validate: useChecks(callbackUrlInput),
  })
  const configure = (given: { callback_url: string | null }) => client.webhooks.configure.mutate(given)
  const keep = (endpoint: Awaited<ReturnType<typeof configure>>) =>
    queries.setQueryData(endpointQuery.queryKey, shown => shown && endpoint)
  const saving = useAct({ form, done: t.saved, mutationFn: configure, onSuccess: keep })
  const removing = useAct({ done: t.removed, mutationFn: configure, onSuccess: keep })
  const given = form.values.callback_url.trim()
  return (
    <>
      <form onSubmit={form.onSubmit(values => saving.mutate(values))} noValidate>
        <TextInput
          {...form.getInputProps('callback_url')}
          type="url"
          inputMode="url"
          label={t.url}
          description={t.rule}
          placeholder="https://shop.example.com/hooks/gapura"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes.url }}
        />
        {url === null && (
          <Text size="sm" c="dimmed" mt="xs">
            {t.none}
          </Text>
        )}
        <Refusal said={saving.refusal} />
        <Group gap="sm" mt="md">
          <Button type="submit" loading={saving.isPending} disabled={given === '' || given === url}>
            {t.save}
          </Button>
          {url !== null && (
            <Button variant="default" onClick={removal.open}>
              {t.remove}
            </Button>
          )}
        </Group>
      </form>
      <Confirm
        isOpen={isRemoving}
        isGrave
        close={removal.close}
        title={t.removeTitle}
        act={t.removeAct}
        isActing={removing.isPending}
        onAct={() => removing.mutate({ callback_url: null })}
      >
        {t.removeMore}
      </Confirm>
    </>
  )
}
