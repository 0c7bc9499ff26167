import { isInScope, type KeyScope } from '@gapura/server/key-scope'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Dialog } from '../parts/dialog.tsx'

const text = words({
  en: {
    title: 'Your new key',
    once: 'Copy the key now. It is shown only once and cannot be recovered, even by us.',
    key: 'the key',
    tryIt: 'Try it in a terminal. The copied command contains the full key:',
    onlyFrom: 'This key works only from its allowed IP addresses, so run the command there.',
    command: 'the command',
    stopped: 'The previous key no longer works.',
    until: (time: string) => `The previous key works until ${time}.`,
    stored: 'I have stored the key',
  },
  id: {
    title: 'Kunci baru Anda',
    once: 'Salin kunci sekarang. Kunci hanya ditampilkan satu kali dan tidak dapat dipulihkan, bahkan oleh kami.',
    key: 'kunci',
    tryIt: 'Coba di terminal. Perintah yang disalin memuat kunci lengkap:',
    onlyFrom: 'Kunci ini hanya berlaku dari alamat IP yang diizinkan, jadi jalankan perintah ini dari sana.',
    command: 'perintah',
    stopped: 'Kunci sebelumnya sudah tidak berlaku.',
    until: (time: string) => `Kunci sebelumnya berlaku sampai ${time}.`,
    stored: 'Kunci sudah saya simpan',
  },
})

export type MadeKey = {
  key: Outputs['keys']['create']
  /**
   * The number of minutes for which the previous API key still works. It is set only if the shown key was created by a
   * rotation.
   */
  replaced?: { graceMinutes: number }
}

/** Requests that only read, each with the scope that allows it. */
const reads: [scope: KeyScope, path: string][] = [
  ['reports', '/v1/account/balance'],
  ['payments:read', '/v1/active-methods'],
  ['refunds', '/v1/refunds'],
]

/** Returns the path of a request that a key with these scopes may send, or undefined if no request only reads. */
const readablePath = (scopes: readonly KeyScope[]): string | undefined =>
  reads.find(([scope]) => isInScope(scopes, scope))?.[1]

export function ShownKey({ made: { key, replaced }, close }: { made: MadeKey; close: () => void }) {
  const t = useWords(text)
  const format = useFormat()
  const path = readablePath(key.scopes)
  const commandWith = (secret: string) =>
    `curl ${window.location.origin}${path} -H 'Authorization: ApiKey ${secret}'`
  return (
    <Dialog isKept onClose={close} title={t.title} size="lg">
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />}>
          {t.once}
        </Alert>
        <Copied value={key.key} what={t.key} isBlock />
        {replaced && (
          <Text size="sm">
            {replaced.graceMinutes === 0
              ? t.stopped
              : t.until(
                  format.time(
                    new Date(Date.parse(key.created_at) + replaced.graceMinutes * 60_000).toISOString(),
                  ),
                )}
          </Text>
        )}
        {path && (
          <>
            <Text size="sm">
              {t.tryIt} {key.allowed_ips.length > 0 && t.onlyFrom}
            </Text>
            <Copied
              value={commandWith(key.key)}
              masked={commandWith(`${key.display_prefix}…`)}
              what={t.command}
              isBlock
            />
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>{t.stored}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
