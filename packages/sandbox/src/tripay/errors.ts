export type Answer = { status: number; body: { success: false; message: string } }

// Every failure has this form and nothing tells them apart but the text. The documents publish one message, for
// a wrong key, and no HTTP status; the other texts and statuses are made up.
export function refusal(message: string, status = 400): Answer {
  return { status, body: { success: false, message } }
}

export const invalidApiKey = refusal('Invalid API Key', 200)
