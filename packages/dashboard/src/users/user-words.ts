import type { Permission } from '@gapura/server/permission'
import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type User = Outputs['users']['listOwn']['items'][number]

export const permissionWords = words({
  en: {
    admin: 'Admin',
    developer: 'Developer',
    finance: 'Finance',
    support: 'Support',
    viewer: 'Viewer',
  },
  id: {
    admin: 'Admin',
    developer: 'Pengembang',
    finance: 'Keuangan',
    support: 'Dukungan',
    viewer: 'Pengamat',
  },
} satisfies Record<'en' | 'id', Record<Permission, string>>)

export const permissionHints = words({
  en: {
    admin: 'Access to everything, including the team and settings',
    developer: 'API keys, webhooks and logs',
    finance: 'Refunds, payouts, exports and statements',
    support: 'View payments and redeliver webhooks',
    viewer: 'Read only',
  },
  id: {
    admin: 'Semuanya, termasuk tim dan pengaturan',
    developer: 'Kunci API, webhook, dan log',
    finance: 'Pengembalian dana, pencairan, ekspor, dan laporan mutasi',
    support: 'Melihat pembayaran dan mengirim ulang webhook',
    viewer: 'Hanya melihat',
  },
} satisfies Record<'en' | 'id', Record<Permission, string>>)

export const userStatusWords = words({
  en: { invited: 'Invited', active: 'Active', disabled: 'Disabled' },
  id: { invited: 'Diundang', active: 'Aktif', disabled: 'Dinonaktifkan' },
} satisfies Record<'en' | 'id', Record<User['status'], string>>)

export const userStatusTones: Record<User['status'], Tone> = {
  invited: 'waiting',
  active: 'good',
  disabled: 'over',
}
