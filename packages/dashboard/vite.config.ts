import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // The service replaces this placeholder with a new nonce in each response (packages/server/src/http/dashboard.ts).
  html: { cspNonce: '__nonce__' },
  build: {
    target: 'baseline-widely-available',
    // Keeps light-dark() as written. Its compiled fallback follows the system's colour scheme, not the user's choice.
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // Inlined images would need a looser content security policy.
    assetsInlineLimit: 0,
    // The manifest lists each script's imports. The test of the initial page weight reads it.
    manifest: true,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  // For `npm run dev` with a service on its default port.
  server: { proxy: { '/trpc': 'http://127.0.0.1:8080' } },
})
