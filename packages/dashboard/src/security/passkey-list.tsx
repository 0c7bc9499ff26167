import { deviceName } from '@gapura/server/device-name'
import { newPasskeyInput } from '@gapura/server/second-factor-input'
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { client, type Outputs } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Moment } from '../parts/moment.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { CurrentPassword } from '../session/current-password.tsx'
import { addPasskey, arePasskeysPossible } from '../session/passkeys.ts'

type Passkey = Outputs['secondFactor']['get']['passkeys'][number]

const text = words({
  en: {
    title: 'Passkeys',
    none: 'A passkey is stored on your phone, computer or security key, and cannot be phished.',
    impossible: 'Passkeys work only if the dashboard is opened at an https:// address with a host name.',
    add: 'Add passkey',
    name: 'Name',
    nameHint: 'A name that helps you recognize the passkey in this list.',
    added: 'Passkey added',
    created: 'Added',
    used: 'Last used',
    remove: (name: string) => `Remove passkey ${name}`,
    removeTitle: 'Remove this passkey?',
    removeWhat: (name: string) => `${name} can no longer be used to log in.`,
    removeAct: 'Remove passkey',
    removed: 'Passkey removed',
    fallback: 'My passkey',
  },
  id: {
    title: 'Kunci sandi (passkey)',
    none: 'Kunci sandi tersimpan di ponsel, komputer, atau kunci keamanan Anda, dan tidak dapat dicuri lewat phishing.',
    impossible: 'Kunci sandi hanya berfungsi jika dasbor dibuka di alamat https:// dengan nama host.',
    add: 'Tambah kunci sandi',
    name: 'Nama',
    nameHint: 'Nama agar Anda mengenali kunci sandi ini di daftar.',
    added: 'Kunci sandi ditambahkan',
    created: 'Ditambahkan',
    used: 'Terakhir dipakai',
    remove: (name: string) => `Hapus kunci sandi ${name}`,
    removeTitle: 'Hapus kunci sandi ini?',
    removeWhat: (name: string) => `${name} tidak dapat dipakai lagi untuk masuk.`,
    removeAct: 'Hapus kunci sandi',
    removed: 'Kunci sandi dihapus',
    fallback: 'Kunci sandi saya',
  },
})

type Given = {
  passkeys: Passkey[]
  /**
   * Whether the user has no second factor yet. In that case, the user must enter the password to add a
   * passkey.
   */
  isFirst: boolean
  onAdded: (recoveryCodes: string[] | null) => void
  onRemoved: () => void
}

export function PasskeyList({ passkeys, isFirst, onAdded, onRemoved }: Given) {
  const t = useWords(text)
  const [isNaming, naming] = useDisclosure()
  const [removed, setRemoved] = useState<Passkey>()
  const isPossible = arePasskeysPossible()
  const removing = useAct({
    done: t.removed,
    mutationFn: (passkey_id: string) => client.secondFactor.removePasskey.mutate({ passkey_id }),
    onSuccess: onRemoved,
    onSettled: () => setRemoved(undefined),
  })
  return (
    <>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>{t.title}</Text>
          <Button variant="default" disabled={!isPossible} onClick={naming.open}>
            {t.add}
          </Button>
        </Group>
        {(passkeys.length === 0 || !isPossible) && (
          <Text size="sm" c="dimmed">
            {isPossible ? t.none : t.impossible}
          </Text>
        )}
        {passkeys.map(passkey => (
          <Group key={passkey.id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              {passkey.name}
              <Text span size="sm" c="dimmed">
                {passkey.last_used_at ? ` · ${t.used} ` : ` · ${t.created} `}
                <Moment at={passkey.last_used_at ?? passkey.created_at} />
              </Text>
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t.remove(passkey.name)}
              onClick={() => setRemoved(passkey)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {isNaming && (
        <NewPasskey
          isFirst={isFirst}
          close={naming.close}
          onAdded={codes => {
            naming.close()
            onAdded(codes)
          }}
        />
      )}
      <Confirm
        isOpen={removed !== undefined}
        close={() => setRemoved(undefined)}
        title={t.removeTitle}
        act={t.removeAct}
        isActing={removing.isPending}
        onAct={() => removed && removing.mutate(removed.id)}
        isGrave
      >
        {t.removeWhat(removed?.name ?? '')}
      </Confirm>
    </>
  )
}

function NewPasskey({ isFirst, close, onAdded }: Pick<Given, 'isFirst' | 'onAdded'> & { close: () => void }) {
  const t = useWords(text)
  const form = useForm<{ name: string; current_password?: string }>({
    initialValues: {
      name: deviceName(navigator.userAgent) ?? t.fallback,
      ...(isFirst && { current_password: '' }),
    },
    validate: useChecks(newPasskeyInput),
  })
  const adding = useAct({ form, done: t.added, gcTime: 0, mutationFn: addPasskey, onSuccess: onAdded })
  return (
    <Dialog title={t.add} onClose={close}>
      <form onSubmit={form.onSubmit(given => adding.mutate(given))} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('name')}
            label={t.name}
            description={t.nameHint}
            maxLength={60}
            required
            data-autofocus
          />
          {isFirst && <CurrentPassword {...form.getInputProps('current_password')} />}
          <ActRow back={close} act={t.add} isActing={adding.isPending} refusal={adding.refusal} />
        </Stack>
      </form>
    </Dialog>
  )
}
