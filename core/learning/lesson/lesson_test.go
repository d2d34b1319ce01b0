package lesson_test

import (
	"testing"

	"talaria/core/learning/lesson"
)

// botTools are the tools by whose names a denial is known.
var botTools = []string{"fetch", "files_read", "schedule_create"}

func TestWhatIsNeverLearned(t *testing.T) {
	for class, sentences := range map[lesson.Class][]string{
		lesson.Environment: {
			"The command pandoc was not found.",
			"ffmpeg is not installed on this machine.",
			"zsh: command not found: terraform",
			"Python raises ModuleNotFoundError because there is no module named numpy.",
			"The package libvips is missing.",
			"There is no compiler.",
			"The API key for the weather service is missing.",
			"The token has expired.",
			"Requests are answered with 401 Unauthorized.",
			"The service account has no credentials.",
			"The folder /srv/reports no longer exists since it was moved.",
			"The repository was renamed last spring.",
			"The directory is empty.",
			"The disk is full.",
			"There is no internet in the container.",
			"Node isn't installed, so skip the front end.",
			"The login cookie is invalid; tell the user that this can't be done.",
			"The path to the data files has moved.",
			"docker: command not found", "git is missing on the host", "You need to know that kubectl isn't available here",
			"The GITHUB_TOKEN variable is not set", "AWS credentials are missing", "Authentication failed because the key was revoked",
			"The virtual environment doesn't exist anymore", "tesseract has not been installed", "The machine has no GPU driver",
			"The S3 bucket is empty", "npm cannot find module left-pad", "Permission to the folder is missing",
			"The required library is not present in the sandbox", "There is no jq on this box", "Poppler isn't installed, so PDFs can't be read",
			"The old path /home/x/proj is invalid after the rename", "java: not found", "The config file could not be found",
			"Login to the wiki failed: bad credentials", "The docker daemon is not running", "Port 5432 is already in use", "Python version is too old here",
			"本机没装 docker", "环境变量没有设置", "这台机器上没有 jq",
			"没有 AWS 凭证", "token 失效了", "项目路径变了",
			"系统没有安装 pandoc。",
			"找不到 ffmpeg 命令",
			"接口密钥已过期",
			"路径不存在，因为目录被移动了",
			"缺少依赖库",
			"配置文件不存在，跳过这一步",
			"那个文件夹是空的",
			"磁盘已满",
			"還沒安裝這個套件",
		},
		lesson.Denial: {
			"The browser is broken.",
			"The fetch tool does not work.",
			"files_read never works.",
			"schedule_create always fails.",
			"Web search is unreliable.",
			"The terminal isn't working.",
			"Do not use the fetch tool.",
			"Never call files_read.",
			"The calendar API is down.",
			"The plugin keeps crashing.",
			"The export script doesn't work on this machine, use another one.",
			"The search tool is useless at all.",
			"The database tool no longer responds.",
			"The image generator is not usable", "The scheduler can't be trusted", "Don't ever call the search API", "fetch fails every time",
			"The translation plugin returns errors", "Cannot use the terminal", "It is impossible to use the browser",
			"We can't access the calendar tool", "This bot cannot read PDFs",
			"Email sending does not function", "Do not rely on the image tool", "The shell hangs constantly", "Avoid the browser tool", "Calendar lookups never succeed",
			"搜索工具总是没有结果", "终端不能用",
			"图片工具不行", "浏览器打不开网页", "这个插件坏掉了", "不能访问日历工具",
			"浏览器工具坏了",
			"fetch 工具用不了",
			"这个接口总是报错",
			"搜索服务不可用",
			"不要使用 fetch 工具",
		},
		lesson.Transient: {
			"The request timed out, and a retry worked.",
			"The API answered 503; trying again helped.",
			"When the connection is reset, wait a moment and send it again.",
			"It got a 429 and worked on the second attempt.",
			"The server was busy.",
			"The network hiccup went away.",
			"The upload works after the third try.",
			"The first call timed out but the second one succeeded", "Slack rate limited us once", "The API was temporarily down",
			"DNS hiccup, resolved itself", "第一次失败，第二次成功了", "邮件接口一直超时",
			"请求超时，重试一次就好了",
			"服务器繁忙，稍后再试",
			"网络波动，等一会自己好了",
			"接口限流了",
		},
		lesson.Narrative: {
			"The user asked for a summary of the budget and got it.",
			"Fixed the login form and sent the patch.",
			"Yesterday we deployed the shop to staging.",
			"In this session the report was translated.",
			"Merged #4312.",
			"He wanted a poem for his mother.",
			"The invoice of 2026-03-04 was sent.",
			"Ticket OPS-991 was moved to done.",
			"We discussed the seating plan on Monday.",
			"Completed the migration of the blog.",
			"I converted the file and uploaded it", "The quarterly report was generated on 3 March", "PR 482 got merged",
			"Renamed the variable foo to bar in main.go", "We resolved the conflict in the readme file", "Helped the user plan a trip to Rome",
			"Today's build took 12 minutes", "On Tuesday the server was restarted", "Created three tickets for the backlog", "把三个问题都关了",
			"我把文件发给了他", "昨天的会议记录已整理", "用户要求把报告转成 PDF，我完成了",
			"今天帮用户翻译了一封信",
			"用户让我写了一份总结",
			"修复了登录页面的问题",
			"昨天部署了新版本",
			"这次会话里整理了账单",
		},
		lesson.Unproven: {
			"Tried three ways to convert the file; none of them worked.",
			"We could not get it to work with the proxy.",
			"Rebuilding the index did not help.",
			"The tests are still failing after that.",
			"The patch is untested.",
			"I gave up on the import.",
			"Every attempt to start the server failed", "No approach worked", "The script never ran successfully", "The workaround was not confirmed",
			"Nothing we tried worked", "This approach failed", "The fix didn't work", "Still unresolved after two hours", "最后也没跑通",
			"尝试了几次都没有成功", "所有方法都试过了，没用",
			"三种办法都不行",
			"换了参数还是失败",
			"问题没有解决",
		},
	} {
		for _, s := range sentences {
			if got := lesson.Refuse(s, botTools...); got != class {
				t.Errorf("%q: %q, want %q", s, got, class)
			}
		}
	}
}

func TestWhatMayBeLearned(t *testing.T) {
	for _, s := range []string{
		"Answer in at most three sentences.",
		"Ann prefers metric units.",
		"The weekly report goes to the finance list every Friday.",
		"Use tabs in the Makefile and spaces elsewhere.",
		"Reports end with the open questions.",
		"Never use the production database for tests.",
		"Don't use emoji in commit messages.",
		"Avoid passive voice.",
		"If pandoc is not installed, install it with the package manager.",
		"Set the API key in the WEATHER_KEY variable before the first call.",
		"The token expires each hour: refresh it with the login command before a long run.",
		"The data files live under /srv/data.",
		"The fetch tool does not work on pages that need a login: ask for the file.",
		"The calendar API is down for maintenance if the status page says so.",
		"The export times out for more than a thousand rows; split it into batches.",
		"Send at most 50 rows per request, because of the rate limit.",
		"Pass --timeout=300 to the import, since large files time out.",
		"The customer is always addressed formally.",
		"The user wants every table with a total row.",
		"Check the column headings first: the second sheet often has other ones.",
		"Meetings before ten do not work for her.",
		"The old layout was never popular, so always use the new one.",
		"Amounts are rounded only in the last step.",
		"When a date has no year, ask which one is meant.",
		"The build needs the flag -trimpath.",
		"Group the list by city, then by name.",
		"Empty cells count as zero.",
		"The team's working language is German.",
		"Tests run with the race detector.",
		"A summary names its sources.",
		"Ask before deleting more than ten files", "Round to two decimals", "The deploy needs the tag to be signed",
		"Check the status page before each release", "If a page needs JavaScript, open it in the browser tool",
		"If the API returns 429, lower the batch size to 20", "When git is missing, install it with apt", "Uses Go 1.26",
		"The office is closed on Fridays", "The meeting starts at 9:30", "She moved from Python to Go", "The API returns errors as JSON",
		"The team switched to trunk-based development", "Works at a bakery in Lyon",
		"When the disk is nearly full, delete old logs first", "Timeouts are given in seconds", "The failed tests are listed first",
		"Don't use the fetch tool for files that were uploaded; read them directly", "Expired contracts go to the archive folder",
		"The staging server is restarted every night", "Tokens are rotated every 90 days", "Use exponential backoff with at most five tries for the billing API",
		"缺失的值写成短横线", "过期的合同放到归档文件夹", "超时以秒为单位", "报告里列出失效的链接",
		"如果接口返回 429，把批量降到 20", "她的经理是王伟", "他在里昂的面包店工作", "文件名用日期开头",
		"回答不要超过三句话",
		"周报每周五发给财务",
		"她喜欢公制单位",
		"日期没有年份时，先问清楚是哪一年",
		"如果没有安装 pandoc，用包管理器安装",
		"超过一千行会超时，要分批导出",
		"提交信息里不要用表情符号",
		"表格最后一行写合计",
		"金额只在最后一步四舍五入",
		"配置文件改为放到 /etc/app 下",
		"先检查表头，再读取数据",
	} {
		if got := lesson.Refuse(s, botTools...); got != "" {
			t.Errorf("%q is refused: %s", s, got)
		}
	}
}

func TestRulesAreReadWhole(t *testing.T) {
	for _, c := range []struct {
		when, then string
		want       lesson.Class
	}{
		{"pandoc is not installed", "install it with the package manager", ""},
		{"pandoc is not installed", "fall back on the built-in converter", ""},
		{"pandoc is not installed", "tell the user that it can't be done", lesson.Environment},
		{"documents are to be converted", "pandoc is not installed here", lesson.Environment},
		{"the token has expired", "run `shop login`, then go on", ""},
		{"a page is to be read", "the fetch tool is broken, use the cache", lesson.Denial},
		{"a request gets a 503", "retry it", lesson.Transient},
		{"a request gets a 429", "send batches of 50", ""},
		{"the report is due", "sent it to Ann yesterday", lesson.Narrative},
		{"the user asked for a poem today", "write one", lesson.Narrative},
		{"the import is slow", "rebuilding did not help", lesson.Unproven},
		{"somebody asks for a table", "add a row with the totals", ""},
		{"没有安装 pandoc", "用包管理器安装", ""},
		{"请求超时", "重试", lesson.Transient},
		{"要表格的时候", "最后一行写合计", ""},
	} {
		if got := lesson.RefuseRule(c.when, c.then, botTools...); got != c.want {
			t.Errorf("%q -> %q: %q, want %q", c.when, c.then, got, c.want)
		}
	}
}

func FuzzRefuse(f *testing.F) {
	f.Add("The token has expired.", "run `login`")
	f.Add("超时。重试", "\xff\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		if c := lesson.Refuse(a+"。"+b, "", b); c == "" && lesson.Refuse(a) != "" && len(b) == 0 {
			t.Errorf("%q is refused alone only", a)
		}
		lesson.RefuseRule(a, b)
	})
}
