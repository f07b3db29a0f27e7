package redact

import (
	"strings"
	"testing"
)

// What a name says is secret is taken out, and the name stays. X stands for the secret.
func TestAssignedSecrets(t *testing.T) {
	for _, tc := range []struct{ text, secret, want string }{
		{`{"password":"X"}`, "hunter2", ""},
		{`{"db_password": "X", "n": 1}`, "hunter2", ""},
		{`{\"password\": \"X\"}`, "hunter2", ""},
		{`{\\\"apiKey\\\":\\\"X\\\"}`, "hunter2", ""},
		{`{"clientSecret" : "X"}`, `a\"b\\c`, ""},
		{`{"passphrase":"X"}`, "correct horse battery staple", ""},
		{`password = "X"`, "correct horse", ""},
		{`api_key = 'X'`, "abcdef", ""},
		{"secret_key = `X`", "a'b\"c", ""},
		{`secret: X`, "s3cr3t-x", ""},
		{"DB_PASSWORD=X\nB=1", "swordfish", ""},
		{"export GITHUB_TOKEN=X", "abcdefgh", ""},
		{"PGPASSWORD=X psql", "hunter22", ""},
		{"AWS_SECRET_ACCESS_KEY=X", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""},
		{"aws_secret_access_key = X", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""},
		{`"SecretAccessKey": "X",`, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""},
		{`"SessionToken": "X"`, "IQoJb3JpZ2luX2VjEaCXVzLWVhc3QtMSJ", ""},
		{"//npm.example.test/:_authToken=X", "0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f", ""},
		{`const token = "X"`, "0a1b2c3d4e5f6a7b8c9d", ""},
		{`env["API_KEY"] = "X"`, "abcdef-1", ""},
		{`'password' => 'X',`, "hunter2", ""},
		{`password := "X"`, "hunter2", ""},
		{"x-api-key: X", "abc123def", ""},
		{"-H 'X-Api-Key: X'", "abc123def", ""},
		{"https://h/?access_token=X&b=1", "abc123def", ""},
		{"--password X --user me", "hunter2", ""},
		{`--api-key "X"`, "abcdef", ""},
		{"--auth-token=X", "abc123def", ""},
		{"Authorization: Basic X", "dXNlcjpwYXNz", ""},
		{`-H "Authorization: Basic X"`, "dXNlcjpwYXNzd29yZA==", ""},
		{"authorization: token X", "0a1b2c3d4e5f", ""},
		{`{"Authorization":"Basic X"}`, "dXNlcjpwYXNz", ""},
		{"Proxy-Authorization: Basic X", "dXNlcjpwYXNz", ""},
		{"Authorization: Bearer X", "short123", "bearer"},
		{"Authorization: Bearer X", "abcdef0123456789", "bearer"},
		{"password=X", "ghp_" + b62[:36], "github-token"},
		{"postgres://me:X@db:5432/x", "hunter2", "password"},
		{"https://me:X@h", "p@ss:w0rd", "password"},
		{"redis://:X@h:6379", "pw", "password"},
		{"git clone https://x-access-token:X@github.com/a/b", "ghs_" + b62[:36], "github-token"},
		{`"mongodb+srv://me:X@h/db"`, "pw1", "password"},
	} {
		kind := tc.want
		if kind == "" {
			kind = "secret"
		}
		text := strings.Replace(tc.text, "X", tc.secret, 1)
		if strings.Contains(tc.text, "X-Api") {
			text = "-H 'X-Api-Key: " + tc.secret + "'"
			tc.text = "-H 'Y-Api-Key: X'"
		}
		want := strings.Replace(strings.Replace(tc.text, "X", "[redacted:"+kind+"]", 1), "Y-", "X-", 1)
		if got := New(nil).String(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// The user of an address may be the secret.
func TestTheUserOfAnAddressIsLookedAt(t *testing.T) {
	got := New([]string{"A_KEY=hunter22"}).String("https://ghp_" + b62[:36] + ":x-oauth-basic@github.com, ftp://hunter22:pw@h")
	if want := "https://[redacted:github-token]:[redacted:password]@github.com, ftp://[redacted:env]:[redacted:password]@h"; got != want {
		t.Errorf("%s", got)
	}
}

// Ordinary code and prose is left as it is.
func TestWhatIsNoSecret(t *testing.T) {
	for _, text := range []string{
		"tokens: 500", "max_tokens = 50_000", `"max_tokens": 4096`, `{"input_tokens":12345678,"output_tokens":25}`, "password_field", "token_count=12345678",
		"commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "id: 123e4567-e89b-12d3-a456-426614174000", `"sha256": "` + strings.Repeat("0a1b2c3d", 8) + `"`,
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
		"password := os.Getenv(\"DB_PASSWORD\")", "password = getpass.getpass()", "secret := sha256.Sum256(data)", "token = lexer.next_token()", "token := p.next()",
		"const token = process.env.GITHUB_TOKEN", "api_key=settings.API_KEY", "password: string", "password?: string;", "accessToken: string,", "secret: Secret",
		"password = user.password", "self.password = password", "Password string `json:\"password\"`", `{"type":"password","name":"x"}`, `<input type="password">`,
		"if password == \"hunter2\" {", "password != other123", "token: 'comment'", `{ token: "punctuation.definition.tag" }`, "credentials: 'include'", "fetch(u, {credentials: \"same-origin\"})",
		"PASSWORD=$DB_PASSWORD", "PASSWORD=${PASSWORD}", `password: "${{ secrets.PASSWORD }}"`, `api_key = "<your key>"`, `"password": "********"`, "API_KEY=YOUR_API_KEY", `token = "your-access-token"`,
		`"password": "Enter your password"`, `"secret": ""`, "secret: |", "secret: >-", "PWD=/home/me/project", "OLDPWD=/home/me/other", "PASSWORD_FILE=/run/secrets/password",
		"SECRET=/run/secrets/x", "secret_name = db-password", "the password: it must be long", "Password: ", "password: yes", "key: value12345", "foo(key=lambda x: x[1])", "primary_key = True",
		"CACHE_KEY=abc", "sort key: name", "a basic authorization: nothing else", "Authorization: none", "basic internationalization", "http://localhost:8080/a@b", "https://example.com:443/x", "git@github.com:a/b.git",
		"see https://h/a:b@c", "ssh://git@h:22/a", "https://user:$PASS@h", "https://user:<password>@h", "std::token::Token x12345678", "token::new(123456)", "--password-file secrets.txt", "--token TOKEN", "the --password option sets it",
		"rt_sigaction", "rt_this_is_the_name_of_a_very_long_function_in_c", "start_1rt_" + b62, "hf_hub_download", "npm_config_registry", "glpat-", "xapp-x", "ya29.", "task-runner", "sk-learn", "risk-assessment-of-everything-2024",
		"const x = eyJ", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "AKIA", "author: me1234567890123456", "authors = 12345678901234567890", "auth: required", "pat = regexp.MustCompile(`a1b2`)",
		"passwords = 12345678", "secretary: person12", "keyboard=abc1234567890123", "monkey: abc1234567890123",
	} {
		if got := New(nil).String(text); got != text {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}
