export type Answer = { status: number; body: { success: false; message: string } }

// All errors have this format and differ only in their message. The documentation contains one message, for a wrong
// key, and no HTTP status; the other messages and statuses are made up.
export function refusal(message: string, status = 400): Answer {
  return { status, body: { success: false, message } }
}

export const invalidApiKey = refusal('Invalid API Key', 200)
