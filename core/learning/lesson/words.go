package lesson

import (
	"regexp"
	"strings"
	"sync"
)

// oneOf makes one expression of several, over folded text.
func oneOf(parts ...string) func() *regexp.Regexp {
	return expression(`(?:` + strings.Join(parts, `|`) + `)`)
}

// expression compiles when it is asked first: all of this package's together
// take milliseconds and megabytes, which no start of the program should pay.
func expression(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// Things of a machine, and what is wrong with them.
const (
	programs = `(?:command|program|binar(?:y|ies)|executable|packages?|modules?|librar(?:y|ies)|cli|sdk|dependenc(?:y|ies)|` +
		`interpreter|compiler|driver)`
	accounts = `(?:api[ -]?keys?|access keys?|tokens?|credentials?|passwords?|logins?|cookies?|licen[cs]es?|certificates?)`
	places   = `(?:paths?|environments?|venv|director(?:y|ies)|folders?|files?|repo(?:sitory)?|mount|workspace|drive)`
	lacking  = `(?:is|was|are|were|'s)? ?(?:missing|absent|not (?:found|installed|available|there|present|set(?: up)?|configured|` +
		`on (?:the |\$)?path|in (?:the |\$)?path)|n't (?:found|installed|available|there|set(?: up)?|configured|on (?:the )?path)|` +
		`unset|unavailable|uninstalled)`
)

// environment is what fails here and need not fail elsewhere or tomorrow.
var environment = oneOf(
	`command not found`, `executable file not found`, `no such file or directory`, `\benoent\b`, `no module named`,
	`modulenotfounderror`, `cannot find module`,
	`\b(?:is|are|was|were)(?: not|n't) (?:yet )?(?:installed|on (?:the |\$)?path|in (?:the |\$)?path)\b`,
	`\b`+programs+`\b.{0,40}?`+lacking+`\b`, `\b(?:missing|no) (?:the )?`+programs+`\b`,
	`\b`+accounts+`\b.{0,30}?(?:`+lacking+`|(?:is|was|are|were|has|have|had)? ?(?:expired|invalid|revoked|rejected|wrong|empty))\b`,
	`\b(?:missing|no|without|expired|invalid|revoked) (?:\w+ )?`+accounts+`\b`, `\bunauthori[sz]ed\b`, `\b401\b`, `not logged in\b`,
	`\b`+places+`\b.{0,60}?(?:no longer (?:exists?|there)|(?:does not|doesn't|do not|don't|did not|didn't) exist|is gone|are gone|`+
		`(?:has|have|had|was|were|been|got) (?:\w+ )?(?:moved|renamed|relocated|deleted|removed))\b`,
	`\b(?:has|have|had)(?: not|n't) (?:yet )?been (?:installed|configured|set up|mounted|provisioned)\b`,
	`\bvariables? (?:is|was|are) (?:not set|unset|missing|empty)\b`,
	`\b(?:missing|(?:not|n't) (?:available|there|present|found)|unavailable)\b.{0,12}\b(?:here|(?:on|in|from) (?:this|the|that|`+
		`our|my) (?:host|machine|system|server|box|computer|container|environment|image|sandbox|laptop|vm))\b`,
	`n't available here\b`, `\bthere (?:is|are) no \S+ (?:on|in) (?:this|the|that|our|my) (?:host|machine|system|server|box|`+
		`computer|container|environment|image|sandbox|laptop|vm)\b`,
	`\bpaths?\b.{0,60}\b(?:is|are) (?:now )?(?:invalid|wrong|stale|outdated)\b`, `\b(?:wrong|bad|incorrect) (?:\w+ )?`+accounts+`\b`, `: not found$`,
	`\b(?:`+programs+`|`+places+`)\b.{0,30}(?:could not|couldn't|cannot|can't) be found`,
	`\b(?:daemon|service|server|process)s? (?:is not|isn't|was not|wasn't) running\b`,
	`\bport \d+ (?:is |was )?(?:already )?(?:in use|taken|occupied)\b`, `\bversion (?:\S+ )?(?:is|was) too (?:old|new|low)\b`,
	`(?:机器|本机|系统|服务器|环境)上?(?:里|中)?(?:没有|没装|缺)(?:安装|装|配置|设置)?`,
	`\bkeys? (?:is|was|were|has been|got) (?:\w+ )?(?:revoked|expired|rejected)\b`, `\b(?:has|have|had) no (?:\w+ )?(?:`+programs+`|`+accounts+`)\b`,
	`\bpermissions?\b.{0,30}\b(?:missing|denied|lacking|insufficient)\b`,
	`\b(?:director(?:y|ies)|folder|inbox|database|bucket|repo(?:sitory)?|workspace) (?:is|was|are|were) (?:always )?empty\b`,
	`\b(?:disk|volume|drive)\b.{0,20}\bfull\b`, `no space left`, `out of memory\b`, `read-only file system`,
	`\bno (?:internet|network)\b`, `(?:is|are|was) offline\b`,
	`(?:没有?|未|还没|沒有)(?:安装|装|配置|设置|登录)`, `(?:找不到|缺少?|没有)[^，,。]{0,12}(?:命令|程序|模块|依赖|软件包|密钥|`+
		`凭据|凭证|令牌|证书|文件|目录|路径|库\b)`,
	`(?:命令|程序|模块|依赖|软件包|库)[^，,。]{0,10}(?:不存在|找不到|缺失|没有安装)`,
	`(?:密钥|凭据|凭证|令牌|密码|证书|token|cookie)[^，,。]{0,8}(?:过期|失效|无效|不对|错误|没有|缺失|未配置)`,
	`(?:路径|目录|文件夹?|仓库)[^，,。]{0,12}(?:不存在|没有了|不在了|已(?:经)?(?:移动|移走|改名|删除)|被(?:移动|移走|改名|删除)|为空|是空的|变了)`,
	`磁盘(?:已|空间)?(?:满|不足)`, `内存不足`, `(?:没有|断)网`, `未授权`,
)

// transient is what is gone when tried later.
var transient = oneOf(
	`\btim(?:ed|es|ing)[ -]?out\b`, `\b(?:a|hit|got|by|with|of) time-?outs?\b`,
	`\btime-?outs?\b.{0,30}\b(?:errors?|occur\w*|happen\w*|fail\w*|retr\w*)`, `\brate[ -]?limit(?:s|ed|ing)?\b`,
	`too many requests`, `\b(?:429|500|502|503|504)\b`, `\bquota exceeded\b`,
	`connection (?:was |is |got )?(?:reset|refused|dropped|closed|lost)`,
	`\b(?:temporar(?:y|ily)|momentar(?:y|ily)|intermittent(?:ly)?|sporadic(?:ally)?)\b.{0,30}\b(?:un\w+|down|fail\w*|errors?|`+
		`outages?|issues?|problems?|glitch\w*)\b`,
	`\b(?:overloaded|hiccups?|glitch(?:es|ed)?|blips?)\b`, `network (?:error|issue|problem|failure)s?`,
	`\b(?:server|service|site|api|gateway)\b.{0,20}\b(?:busy|unreachable|temporarily)\b`,
	`\b(?:works?|worked|succeed(?:s|ed)?|passe[sd]) (?:fine )?(?:on|at|after|with) (?:the |a |another )?(?:second|third|next|few|`+
		`couple|retry|retries|retrying)`,
	`超时(?:了|失败|错误|报错|[，,]|$)`, `(?:请求|接口|连接|网络|调用|一直|总是|会)超时`, `限流`, `限速`, `请求过多`,
	`(?:连接|网络)(?:被)?(?:重置|中断|断开|拒绝|失败|错误|抖动|波动|不稳)`, `暂时(?:不可用|无法|失败|出错)`,
	`服务器?(?:繁忙|过载)`, `偶尔(?:失败|报错|出错)`, `(?:重试|再试)(?:一次|几次|一下)?(?:就|后|之后)?(?:好了|成功|可以)`,
	`第一次(?:失败|超时|报错)[^。]{0,8}第二次(?:就)?(?:成功|好了|可以)`,
)

// retries is to do the same once more.
var retries = oneOf(
	`\bretr(?:y|ies|ied|ying)\b`, `\btr(?:y|ied|ies|ying) (?:it )?(?:again|once more)\b`,
	`\b(?:second|third|next|another) (?:try|attempt|time)\b`, `\bagain (?:it )?(?:worked|works)\b`,
	`\bwait(?:s|ed|ing)? (?:a (?:bit|moment|minute|while)|and|some)\b`, `\b(?:went|goes|go) away\b`,
	`\b(?:run|ran|send|sent|call|called|repeat(?:ed)?) (?:it|the (?:same )?\w+)? ?again\b`,
	`重试`, `再试`, `再来一次`, `等一(?:会|下)`, `过一会`, `稍后`, `自己好了`,
)

// technique is what keeps trouble from coming.
var technique = oneOf(
	`\b(?:batch|throttl|chunk|paginat|split|cache|caching|limit(?:ing)? (?:to|the)|reduc|lower|rais|increas|shorten|parallel|`+
		`stagger|schedul|compress|stream|narrow|filter|page through|prefer)\w*`, `--[a-z][a-z-]+`,
	`\bset (?:the )?\w*[ _-]?(?:timeout|limit)`, `\b(?:at most|no more than|fewer than|pages? of|groups of) \d+`,
	`\b\d+ (?:at a time|per (?:request|call|page|minute|second))`,
	`分批`, `批量`, `分页`, `分段`, `拆分?成`, `每次(?:最多|不超过)`, `缓存`, `(?:调大|调小|调到|降到|减小|改小|调高|加大|增加|延长|降低|减少|限制)`,
)

// fixes put a failure right for good.
var fixes = oneOf(
	`\b(?:install|reinstall|configure|export|mount|upgrade|authenticate|re-?authenticate|symlink|renew|rotate|refresh|enable|`+
		`provision|clone|create|restore|download|initiali[sz]e)\b`,
	`\b(?:set|add|put|point|change|correct|update|copy|link)\b.{1,40}\b(?:to|in|into|as|under|at|=)`,
	`\blog in (?:with|to|at|via|first)\b`, `\brun `+"[`\"']?"+`[\w.-]+ (?:login|auth|init|install|setup|configure)\b`,
	`\b(?:fix(?:es)?|solution|remedy)(?: is|:| was)`, `\bactivat(?:e|ing) (?:the )?(?:virtual|venv|env)`,
	`\bnow (?:lives?|lies?|is) (?:in|at|under)\b`,
	`(?:安装|重装|配置好?|设置?为|设成|登录后|先登录|导出|升级|续期|更新|加到|添加到|指向|改为|改成|启用|创建|挂载)`,
)

// resigns leaves it at the failure.
var resigns = oneOf(
	`\b(?:avoid|give up|gave up|stop (?:using|trying)|skip(?:ped)?|unable to|impossible)\b`,
	`\b(?:never|don't|do not|no longer) (?:use|try|call|rely|attempt|bother)\b`,
	`\b(?:tell|inform|warn|say to) (?:the )?(?:user|person|them|people)\b.{0,40}(?:can't|cannot|not|unavailable|unable|missing|`+
		`impossible|broken)`, `\b(?:can't|cannot|could not|couldn't) be (?:done|used|installed|fixed|run)`,
	`(?:放弃|跳过|避免|别用|不要(?:使用|用|再)|无法(?:完成|使用|安装)|做不到|告诉用户(?:不行|做不了|无法|没有))`,
)

// actions are other things to do.
var actions = oneOf(
	`\b(?:use|ask|check|read|open|run|call|send|write|take|look|fall back|switch|convert|give|make|try|start|list|verify|search|`+
		`offer|show|prefer|request)\b`,
	`(?:使用|改用|用|询问|检查|查看|打开|运行|调用|发送|写|转换|切换|验证|请)`,
)

// condition opens a case that may or may not come.
var condition = oneOf(`\b(?:if|when|whenever|in case|unless|should|where|once)\b`, `如果|若|当|遇到|一旦|假如|要是|时候?[，,]`)

// consequence is a sentence about a case that may come; the group is what to do
// then.
var consequence = oneOf(
	`^\W*(?:if|when|whenever|in case|once|should|where)\b[^,]*,(.+)`, `^\W*(?:如果|若|当|遇到|一旦|假如|要是)[^，,]*[，,](.+)`,
)

// broken writes anything off.
var broken = oneOf(
	`\b(?:is|are|was|were|seems?|appears?|remains?|'s) (?:\w+ly |always |still |just |simply )?(?:broken|unusable|useless|`+
		`unreliable|defective|buggy|not working|n't working|non-?functional|out of (?:order|service)|not (?:usable|functional|`+
		`functioning|reliable))\b`,
	`\b(?:isn't|aren't|wasn't) (?:working|usable|functional|functioning|reliable)\b`,
	`(?:坏了|坏掉|是坏的|用不了|没法用|不能用|无法使用|失灵|不好使|不靠谱|挂了|不工作)`,
)

// works denies what only a tool can be denied for.
var works = oneOf(
	`\b(?:does not|doesn't|do not|don't|did not|didn't|never|no longer|won't|will not|cannot|can't) (?:really |ever |seem to |`+
		`actually )?(?:works?|functions?|responds?|be (?:used|trusted|relied on))\b`,
	`\b(?:always|constantly|consistently|keeps?|kept|every time) (?:fails?|failing|failed|crash(?:es|ing|ed)?|errors?|erroring|`+
		`hangs?|hanging)\b`, `\b(?:(?:always|only|just) )?(?:returns?|gives?|throws?) (?:only |just |an? )?(?:errors?|nothing|`+
		`garbage)\b`, `\b(?:fails?|failed|crash(?:es|ed)?|hangs?|hung|errors? out) (?:(?:every|each) (?:single )?time|constantly|`+
		`always|all the time)\b`, `\bnever succeeds?\b`, `\b(?:is|are) (?:down|dead|unavailable|not available|unsupported)\b`, `\bhas no access to\b`,
	`(?:总是|一直|每次都|老是)(?:失败|报错|出错|崩溃|卡住|没反应)`,
	`(?:不可用|没有反应|不支持|没用|不行|打不开|连不上|登不上|没反应|无响应|没有结果)`,
)

// barred is that something can't be used; the group is what, or what the bot
// itself could not do.
var barred = oneOf(
	`\b(?:cannot|can't|could not|couldn't|unable to|impossible to|not possible to|not able to) (?:use|access|call|reach|open|run|`+
		`invoke|execute|load)\b(.+)`,
	`\b((?:bot|assistant|agent|model) (?:cannot|can't|is unable to|is not able to) .+)`,
	`(?:不能|无法|没法)(?:访问|使用|调用|打开|连接)(.+)`,
)

// bound names the cases that a denial is about, unbound only seems to.
var (
	bound = expression(`^[\s,，]*(?:on|for|with|as|when|whenever|if|unless|while|without|over|inside|beyond|above|below|before|` +
		`after|as long as|where|in (?:\w+ )?(?:files?|mode|safari|firefox|chrome|private|windows|macos|linux)|to \w+|的时候|时|在|` +
		`如果|对于|除非|超过)`)
	unbound = expression(`^[\s,，]*(?:for (?:now|some reason|the moment|us)|on (?:this|my|our|the) (?:machine|computer|box|system|` +
		`server|host)|in (?:this|my|our)|with (?:this|my|our) (?:setup|machine|environment)|at all|here|on (?:\w+days?)\b|在(?:这里|这台|本机))`)
)

// shuns is advice to leave something; the groups are what.
var (
	shuns = oneOf(
		`\b(?:never|don't|do not|avoid|stop|quit)(?: ever)? (?:use|using|call|calling|try|trying|rely(?:ing)? on|trust(?:ing)?|touch(?:ing)?) (.+)`,
		`\bavoid (the (?:\S+ )?tool)\b`,
		`(?:不要|别|避免|禁止|停止)(?:再)?(?:使用|用|调用|尝试)(.+)`,
	)
	limited = oneOf(`\b(?:for|when|if|unless|on|with|without|before|after|to|in|until|while|during|more than|as)\b`,
		`时|如果|除非|之前|以前|在|给|超过|来`)
)

// own is what is said of the bot itself.
var own = expression(`^(?:bot|assistant|agent|model)\b`)

// toolish are words for what the bot works with.
var toolish = oneOf(
	`\b(?:tools?|commands?|scripts?|apis?|servers?|services?|(?:web ?)?sites?|browser|terminal|shell|search|functions?|plugins?|`+
		`connectors?|integrations?|programs?|apps?|cli|endpoints?|packages?|librar(?:y|ies)|modules?|databases?|network|`+
		`connections?|vpn|sandbox|scheduler|webhooks?|mcp|sending|upload(?:s|ing)?|download(?:s|ing)?|lookups?|browsing|scraping|`+
		`printing|notifications?)\b`, "`[^`]+`",
	`(?:工具|命令|脚本|接口|服务|网站|浏览器|终端|搜索|插件|程序|应用|沙箱|数据库|网络|api)`,
)

// onceUpon are times that don't come again.
var onceUpon = oneOf(
	`\b(?:today|yesterday|tonight|just now|earlier|recently|this (?:morning|afternoon|evening|week|month|session|conversation|`+
		`chat|task|time|turn)|last (?:night|week|month|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|`+
		`on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b`,
	`\b(?:19|20)\d\d-\d\d?-\d\d?\b`, `\b(?:pr|mr|issue|ticket|bug|build|commit|invoice|order) #?\d+\b`,
	`\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b`,
	`\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|`+
		`december)\b`, `(?:#|\bno\. ?)\d+`, `\b[a-z]{2,8}-\d{2,}\b`,
	`今天|昨天|今晚|昨晚|刚才|刚刚|这次|本次|上次|今早|上周|上个?月|这个会话|\d{1,2}月\d{1,2}[日号]`,
)

// past is that something was done.
var past = oneOf(
	`\b(?:was|were|did|had|asked|wanted|needed|fixed|wrote|made|created|sent|found|updated|deployed|helped|completed|finished|`+
		`summari[sz]ed|discussed|ran|debugged|checked|called|told|said|got|went|built|moved|merged|translated|drafted|looked|`+
		`searched|read|gave|tried|failed|worked|added|removed|changed|answered|delivered|took|left|lost|kept|held|brought|began|`+
		`paid|met|came|spent|saw|\w{3,}ed)\b`,
	`了|过\b|完成|已经?`,
)

// reports are sentences that open as the tale of something done.
var reports = oneOf(
	`^\W*(?:successfully )?(?:fixed|deployed|merged|released|completed|finished|created|updated|implemented|resolved|migrated|`+
		`submitted|sent|wrote|drafted|booked|translated|summari[sz]ed|delivered|debugged|investigated|helped)\b`,
	`^\W*(?:\w+ly )?[a-z]+ed (?:the|an?|this|that|it|his|her|their|all)\b`, `^\W*(?:i|we) (?:\w+ly )?[a-z]+ed\b`,
	`^\W*(?:he|she|they) (?:asked|wanted|requested|needed|thanked|uploaded|forwarded|shared|pasted|sent|told)\b`,
	`^\W*(?:the )?(?:user|person|customer|client|we|i|assistant|bot|agent)\b(?: \w+ly)? (?:asked|wanted|requested|needed|was|were|`+
		`had|did|fixed|wrote|made|created|sent|found|updated|deployed|helped|completed|finished|summari[sz]ed|discussed|ran|`+
		`debugged|checked|called|told|got|went|built|moved|merged|translated|drafted|booked|uploaded|forwarded|shared|pasted|thanked)\b`,
	`^\W*把[^。]*了\W*$`, `^\W*我们?(?:把|将|给|帮|已|为)[^。]*了`,
	`^\W*(?:成功)?(?:修复|部署|完成|创建|更新|发送|翻译|整理|总结|解决|合并|提交)了`,
	`^\W*(?:用户|他|她|我们?|机器人|助手)(?:今天|昨天|刚才|刚刚|这次)?(?:让我|要求|要|请我|问|发|写|做|修复|完成|创建|更新|部署|翻译|总结)[^。]*了`,
)

// lasting is what holds beyond one task.
var lasting = oneOf(
	`\b(?:always|never|prefers?|usually|generally|every|each|whenever|when|if|unless|should|must|from now on|in (?:the )?future|`+
		`going forward|by default|likes?|dislikes?|wants? (?:all|every|to be)|rather than|instead of|make sure|remember to|next time)\b`,
	`总是|从不|永远|每次|每个|每天|每周|以后|今后|应该|应当|必须|喜欢|偏好|不喜欢|默认|一律|习惯|如果|当|不要|记得|下次`,
)

// unproven is that nothing came of it.
var unproven = oneOf(
	`\b(?:nothing|none of (?:\w+ ){1,4}?|neither)(?: \w+)? ?(?:worked|helped|succeeded)\b`,
	`\b(?:could not|couldn't|never|did not|didn't|failed to|unable to) (?:get|got) (?:it|this|that|them|the \w+) (?:to (?:work|`+
		`run|build|pass|start)|working|running)\b`,
	`\bnothing (?:\w+ ){0,4}(?:worked|helped|succeeded)\b`, `\b(?:approach|attempt|fix|method|way|workaround|solution|patch|`+
		`change) (?:also )?(?:failed|did not work|didn't work|never worked)\b`, `\bstill (?:unresolved|unsolved)\b`,
	`\bno (?:approach|attempt|method|way|variant|fix|solution|option|combination)s? (?:\w+ )?(?:worked|helped|succeeded)\b`,
	`\b(?:every|each|all) (?:\w+ )?(?:attempts?|tries|try|approach(?:es)?|methods?)\b.{0,40}\bfail(?:s|ed)?\b`,
	`\bnever (?:once )?(?:succeeded|ran|passed|completed|compiled|finished)\b`, `\b(?:was|is) not (?:yet )?confirmed\b`,
	`\b(?:still|all) (?:fails?|failed|failing|broken|not working|doesn't work)\b`,
	`\b(?:gave up|no success|without success|to no avail|did not help|didn't help|not (?:yet )?(?:resolved|solved|tested|`+
		`verified)|remains? unsolved|untested|unsuccessful)\b`,
	`(?:方法|办法|方案|尝试)[^。]{0,12}(?:没用|不行|无效|失败)`,
	`(?:都|全)(?:不行|失败了?|没用|没成功|没有用)`, `(?:还是|仍然?|依然)(?:失败|不行|报错|没解决)`,
	`没(?:有)?(?:成功|解决|跑通|弄好|做成)`, `跑不通`, `未(?:能)?(?:解决|成功|验证)`, `(?:怎么|始终|一直)(?:都)?(?:不行|没成功|没弄好)`,
)
